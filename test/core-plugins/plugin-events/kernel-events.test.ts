// @both-back-ends
import assert from 'node:assert/strict'
import { userDirectory } from '../../../core-plugins/users/contract.ts'
import type { RunningKernel } from '../../../kernel/kernel.ts'
import type { Api } from '../../support/api.ts'
import { createTenant, dataOf, startPlatform, type Platform } from '../../support/platform.ts'
import { installAndEnable, packSmall } from '../../support/small-plugin.ts'
import { until } from '../../support/until.ts'
import { patience } from '../hosts/world.ts'

const events = ['kernel.user.created', 'kernel.user.deleted', 'kernel.tenant.updated', 'kernel.plugin.disabled']
const definition = `{
  handlers: { heard: async (_, ctx, db) => ({ items: (await db.table('heard').select().orderBy('id').limit(1000)).map(({ text }) => text) }) },
  events: { ${events.map((event) => `'${event}': hear`).join(', ')} },
}
function hear({ type, payload }, ctx, db) { return db.table('heard').insert({ text: type + ' ' + JSON.stringify(payload) }) }`

describe('an event of the platform for plugins', () => {
  let platform: Platform
  let admin: Api
  let tenant: { owner: Api; id: number }

  before(async () => {
    platform = await startPlatform()
    admin = platform.admin
    tenant = await createTenant(admin, 'one')
    const manifest = {
      capabilities: ['events', 'db:own_tables'],
      reasons: { events: 'Listens.', 'db:own_tables': 'Remembers.' },
      events: { subscribe: events },
      db: { tables: ['heard'], migrations: 'migrations/' },
      admin_routes: [{ method: 'GET', path: '/heard', handler: 'heard' }],
    }
    const migrations = {
      'migrations/0001_init.up.sql': 'create table heard (id bigserial primary key, text text not null);',
    }
    await installAndEnable(admin, await packSmall('acme.ear', manifest, definition, migrations))
    await installAndEnable(admin, await packSmall('acme.other'))
    dataOf(await admin.post('/plugins/acme.ear/tenants', { tenant_ids: [tenant.id] }))
    dataOf(await tenant.owner.post('/tenant/plugins/acme.ear/enable'))
  })
  after(() => platform[Symbol.asyncDispose]())

  /** At every tenant and at none. */
  const heard = async () =>
    dataOf(await admin.get('/admin/plugins/acme.ear/api/heard'))['items'] as unknown as readonly string[]
  const queued = () => platform.host.kernel.database.knex('plugin_events').queryContext({ tenant: 'all' })
  const newUser = (name: string) => ({
    email: `${name}@one.test`,
    password: 'a long enough passphrase',
    roles: ['tenant_user'],
  })

  /** As if the host died between the commit and its telling: nothing in this process hears of what happened. */
  async function untold<T>(work: () => Promise<T>): Promise<T> {
    const hub = (platform.host.kernel as RunningKernel).events
    hub.emit = () => Promise.reject(new Error('the host died'))
    try {
      return await work()
    } finally {
      Reflect.deleteProperty(hub, 'emit')
    }
  }

  it('is heard once, although nobody was told after the commit', async () => {
    await untold(() => tenant.owner.post('/tenant/users', newUser('ada')))
    const { items } = dataOf(await tenant.owner.get('/tenant/users?q=ada')) as unknown as { items: { id: number }[] }
    const [ada] = items
    assert.ok(ada)
    await until(async () => (await heard()).length === 1, patience)
    await untold(() => admin.put(`/admin/tenants/${tenant.id}`, { name: 'Another name' }))
    await until(async () => (await heard()).length === 2, patience)
    await untold(() => tenant.owner.delete(`/tenant/users/${ada.id}`))
    await until(async () => (await heard()).length === 3, patience)
    await until(async () => (await queued()).length === 0, patience)
    assert.deepEqual(await heard(), [
      `kernel.user.created {"user_id":${ada.id}}`,
      `kernel.tenant.updated {"tenant_id":${tenant.id}}`,
      `kernel.user.deleted {"user_id":${ada.id}}`,
    ])
  })

  it('is heard once where everybody was told', async () => {
    const before = await heard()
    const { id } = dataOf(await tenant.owner.post('/tenant/users', newUser('grace')), 201)
    await until(async () => (await heard()).length === before.length + 1, patience)
    dataOf(await admin.post('/plugins/acme.other/disable'))
    await until(async () => (await heard()).length === before.length + 2, patience)
    await until(async () => (await queued()).length === 0, patience)
    assert.deepEqual((await heard()).slice(before.length), [
      `kernel.user.created {"user_id":${Number(id)}}`,
      'kernel.plugin.disabled {"name":"acme.other","version":"1.0.0"}',
    ])
  })

  it('is not there when its cause was rolled back', async () => {
    const before = await heard()
    const users = platform.host.kernel.services.get(userDirectory)
    const { knex } = platform.host.kernel.database
    const passwordHash = await users.hashPassword('a long enough passphrase', {
      tenantId: tenant.id,
      email: 'a@b.test',
    })
    let seen = 0
    const undone = knex.transaction(async (trx) => {
      await users.create(tenant.id, { email: 'nobody@one.test', passwordHash }, trx)
      seen = (await trx('plugin_events').queryContext({ tenant: 'all' })).length
      throw new Error('undone')
    })
    await assert.rejects(undone, /undone/)
    assert.deepEqual([seen, (await queued()).length, await heard()], [1, 0, before])
  })
})
