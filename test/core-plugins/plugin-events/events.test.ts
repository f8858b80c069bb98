// @both-back-ends
import assert from 'node:assert/strict'
import type { Knex } from 'knex'
import { jobs } from '../../../core-plugins/jobs/contract.ts'
import { EventJobs } from '../../../core-plugins/plugin-events/event-jobs.ts'
import { EventQueue, type NewEvent } from '../../../core-plugins/plugin-events/event-queue.ts'
import type { Api } from '../../support/api.ts'
import { createTenant, dataOf, startPlatform, type Platform } from '../../support/platform.ts'
import { installAndEnable, packSmall } from '../../support/small-plugin.ts'
import { until } from '../../support/until.ts'

/** A plugin that keeps what it hears in a table, and fails at the first attempt when it is told to. */
function packListener(name: string, subscribe: readonly string[]): Promise<Buffer> {
  const own = `${name}.said`
  const listeners = [...subscribe, own].map((event) => `'${event}': hear`)
  const definition = `{
    handlers: {
      async say({ body }, { events }) { await events.publish('${own}', body); return { said: true } },
      async burst(_, { events }) {
        await Promise.all(Array.from({ length: 16 }, (_, number) => events.publish('${own}', { number })))
        return { said: 16 }
      },
      async heard(_, ctx, db) {
        return { items: (await db.table('heard').select().orderBy('id').limit(1000)).map(({ text }) => text) }
      },
    },
    events: { ${listeners.join(', ')} },
  }
  async function hear({ type, payload }, ctx, db) {
    const text = JSON.stringify(payload)
    if (payload && payload.stumble) {
      const seen = await ctx.cache.get('stumbled')
      await ctx.cache.set('stumbled', true, { ttlSeconds: 60 })
      if (!seen) throw new Error('stumbled')
    }
    await db.table('heard').insert({ text: type + ' ' + text })
  }`
  const route = { permission: undefined }
  return packSmall(
    name,
    {
      capabilities: ['events', 'db:own_tables'],
      reasons: { events: 'Talks to itself.', 'db:own_tables': 'Remembers.' },
      events: { publish: [own], subscribe: [...subscribe, own] },
      db: { tables: ['heard'], migrations: 'migrations/' },
      tenant_routes: [
        { ...route, method: 'POST', path: '/say', handler: 'say' },
        { ...route, method: 'POST', path: '/burst', handler: 'burst' },
        { ...route, method: 'GET', path: '/heard', handler: 'heard' },
      ],
      admin_routes: [{ ...route, method: 'GET', path: '/heard', handler: 'heard' }],
    },
    definition,
    { 'migrations/0001_init.up.sql': 'create table heard (id bigserial primary key, text text not null);' },
  )
}

describe('events of plugins', () => {
  let platform: Platform
  let admin: Api
  let tenant: { owner: Api; id: number }
  const api = '/tenant/plugins/acme.echo/api'

  before(async () => {
    platform = await startPlatform()
    admin = platform.admin
    tenant = await createTenant(admin, 'one')
    await installAndEnable(admin, await packListener('acme.echo', ['kernel.tenant.created']))
    dataOf(await admin.post('/plugins/acme.echo/tenants', { tenant_ids: [tenant.id] }))
    dataOf(await tenant.owner.post('/tenant/plugins/acme.echo/enable'))
  })
  after(() => platform[Symbol.asyncDispose]())

  async function heard(): Promise<readonly string[]> {
    return dataOf(await tenant.owner.get(`${api}/heard`))['items'] as unknown as string[]
  }

  it('arrive in the order in which they were published', async () => {
    for (let number = 0; number < 20; number++) dataOf(await tenant.owner.post(`${api}/say`, { number }))
    await until(async () => (await heard()).length === 20)
    assert.deepEqual(
      await heard(),
      Array.from({ length: 20 }, (_, number) => `acme.echo.said {"number":${number}}`),
    )
  })

  it('come again when the listener failed, and those behind wait', async () => {
    dataOf(await tenant.owner.post(`${api}/say`, { stumble: true }))
    dataOf(await tenant.owner.post(`${api}/say`, { after: true }))
    await until(async () => (await heard()).length === 22, 15_000)
    assert.deepEqual((await heard()).slice(20), ['acme.echo.said {"stumble":true}', 'acme.echo.said {"after":true}'])
  })

  it('of a plugin that publishes many at once leave the database to others', async () => {
    const { knex } = platform.host.kernel.database
    const before = (await heard()).length
    const waiting = knex('pg_locks').where({ granted: false }).count<{ count: string }[]>()
    const held = Promise.withResolvers<void>()
    const holding = knex.transaction(async (trx) => {
      await trx('plugins').where({ name: 'acme.echo' }).forUpdate()
      await held.promise
    })
    const burst = tenant.owner.post(`${api}/burst`)
    try {
      await until(async () => Number((await waiting)[0]?.count) > 0)
      for (let count = 0; count < 5; count++) dataOf(await tenant.owner.get('/tenant/roles'))
    } finally {
      held.resolve()
      await holding
    }
    assert.deepEqual(dataOf(await burst), { said: 16 })
    await until(async () => (await heard()).length === before + 16, 15_000)
  })

  it('of the platform arrive under the names that plugins may hear', async () => {
    const { id } = await createTenant(admin, 'two')
    const read = async () =>
      dataOf(await admin.get('/admin/plugins/acme.echo/api/heard'))['items'] as unknown as string[]
    const expected = `kernel.tenant.created ${JSON.stringify({ code: 'two', tenant_id: id })}`
    await until(async () => (await read()).some((text) => sorted(text) === sorted(expected)))
  })

  it('are brought by no job to a plugin that is gone or goes: it would wait for ever', async () => {
    const { kernel } = platform.host
    const { knex } = kernel.database
    const eventJobs = new EventJobs(knex, kernel.services.get(jobs))
    const plugin = () => knex('plugins').where({ name: 'acme.echo' })
    const { id } = await plugin().first<{ id: number }>('id')
    await plugin().update({ removing: true })
    try {
      await knex.transaction((trx) => eventJobs.deliver(trx, [id, 4711], [77]))
    } finally {
      await plugin().update({ removing: false })
    }
    assert.deepEqual(await knex('jobs').queryContext({ tenant: 'all' }).where({ tenant_id: 77 }), [])
  })

  it('are not kept for tenants that do not use the plugin', async () => {
    dataOf(await tenant.owner.post('/tenant/plugins/acme.echo/disable'))
    const { knex } = platform.host.kernel.database
    await knex.transaction(async (trx) => {
      await trx.raw(`select set_config('stoa.tenant_id', 'all', true)`)
      assert.deepEqual(await trx('plugin_events'), [])
    })
    dataOf(await tenant.owner.post('/tenant/plugins/acme.echo/enable'))
  })

  describe('in their queue', () => {
    let db: Knex
    let queue: EventQueue
    let plugin: { id: number; name: string }

    before(async () => {
      db = platform.host.kernel.database.knex
      queue = new EventQueue(db)
      // Not running, so that only the test takes events from its queue.
      dataOf(await admin.post('/plugins/acme.echo/disable'))
      plugin = { id: Number(dataOf(await admin.get('/plugins/acme.echo'))['id']), name: 'acme.echo' }
    })

    const add = (added: NewEvent) => db.transaction((trx) => queue.add(trx, added, [plugin]))
    const event = (number: number, tenantId = 7) => ({
      plugin: 'acme.echo',
      type: 'acme.echo.said',
      tenantId,
      payload: { number },
      hop: 1,
      traceId: 'x',
    })

    it('are refused when too many wait', async () => {
      for (let number = 0; number < 1000; number += 50) {
        await Promise.all(Array.from({ length: 50 }, (_, index) => add(event(number + index, 9))))
      }
      await assert.rejects(add(event(1000, 9)), { code: 4299, reason: 'plugin_event_queue_full' })
      await add(event(0, 10))
    })

    it('that is full costs other publishers nothing', async () => {
      assert.deepEqual(await add({ ...event(1000, 9), plugin: 'acme.other' }), ['acme.echo'])
      assert.deepEqual(await add({ ...event(1, 10), plugin: 'acme.other' }), [])
    })
  })
})

function sorted(text: string): string {
  const [type = '', ...rest] = text.split(' ')
  const payload = JSON.parse(rest.join(' ')) as Record<string, unknown>
  return type + JSON.stringify(Object.entries(payload).sort())
}
