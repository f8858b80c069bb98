// @both-back-ends
import assert from 'node:assert/strict'
import { findSubscribers } from '../../../core-plugins/plugin-events/find-subscribers.ts'
import type { Api } from '../../support/api.ts'
import { createTenant, dataOf, refusalOf, startPlatform, type Platform } from '../../support/platform.ts'
import { installAndEnable, packSmall } from '../../support/small-plugin.ts'
import { until } from '../../support/until.ts'

/** What the test's plugin wrote down of an event. */
interface Heard {
  readonly id: string
  readonly type: string
  readonly attempt: number
  readonly occurredAt: string
  readonly payload: { readonly number?: number; readonly keys?: readonly string[] } | null
}

/** A plugin that writes down what it hears, and fails until it is told to go on. */
function packListener(): Promise<Buffer> {
  const definition = `{
    handlers: {
      async say({ body }, { events }) { await events.publish('acme.echo.said', body); return {} },
      async mend(_, ctx) { await ctx.cache.set('mended', true); return {} },
      heard: async (_, ctx, db) => ({ items: (await db.table('heard').select().orderBy('id').limit(1000)).map(({ event }) => JSON.parse(event)) }),
    },
    events: { 'acme.echo.said': hear, 'kernel.config.changed': hear },
  }
  async function hear(event, ctx, db) {
    await db.table('heard').insert({ event: JSON.stringify(event) })
    if (event.payload.fails && !(await ctx.cache.get('mended'))) throw new Error('not yet')
  }`
  return packSmall(
    'acme.echo',
    {
      capabilities: ['db:own_tables', 'config'],
      optionalCapabilities: ['events'],
      reasons: { events: 'Talks to itself.', 'db:own_tables': 'Remembers.', config: 'Is set up.' },
      events: { publish: ['acme.echo.said'], subscribe: ['acme.echo.said', 'kernel.config.changed'] },
      config: [{ key: 'currency', type: 'STRING', scope: 'tenant' }],
      db: { tables: ['heard'], migrations: 'migrations/' },
      tenant_routes: [
        { method: 'POST', path: '/say', handler: 'say' },
        { method: 'POST', path: '/mend', handler: 'mend' },
        { method: 'GET', path: '/heard', handler: 'heard' },
      ],
    },
    definition,
    { 'migrations/0001_init.up.sql': 'create table heard (id bigserial primary key, event text not null);' },
  )
}

describe('the delivery of events to plugins', () => {
  let platform: Platform
  let admin: Api
  let tenant: { owner: Api; id: number }
  const plugin = '/plugins/acme.echo'
  const mine = '/tenant/plugins/acme.echo'

  before(async () => {
    platform = await startPlatform()
    admin = platform.admin
    tenant = await createTenant(admin, 'one')
    await installAndEnable(admin, await packListener())
    await installAndEnable(admin, await packSmall('acme.silent'))
    dataOf(await admin.post(`${plugin}/tenants`, { tenant_ids: [tenant.id] }))
    dataOf(await tenant.owner.post(`${mine}/enable`))
  })
  after(() => platform[Symbol.asyncDispose]())

  const heard = async (type = 'acme.echo.said') => {
    const { items } = dataOf(await tenant.owner.get(`${mine}/api/heard`)) as unknown as { items: Heard[] }
    return items.filter((event) => event.type === type)
  }
  const stored = () => platform.host.kernel.database.knex('plugin_events').queryContext({ tenant: 'all' })
  const listed = async (state = 'dead') =>
    dataOf(await admin.get(`${plugin}/events?state=${state}`))['items'] as unknown as { id: string; error: string }[]

  it('tells the listener of a plugin’s own settings, and of no others', async () => {
    dataOf(await tenant.owner.put(`${mine}/config`, { currency: 'EUR' }))
    await until(async () => (await heard('kernel.config.changed')).length === 1)
    dataOf(await tenant.owner.put('/tenant/configs/groups/tenant_basic', { icp: 'x' }))
    dataOf(await tenant.owner.put(`${mine}/config`, { currency: 'USD' }))
    await until(async () => (await heard('kernel.config.changed')).length === 2)
    const payloads = (await heard('kernel.config.changed')).map(({ payload }) => payload)
    assert.deepEqual(payloads, [{ keys: ['currency'] }, { keys: ['currency'] }])
  })

  it('repeats an event under its id, counting, until it is set aside; then those behind it go on', async () => {
    dataOf(await tenant.owner.post(`${mine}/api/say`, { fails: true }))
    dataOf(await tenant.owner.post(`${mine}/api/say`, { number: 2 }))
    await until(async () => (await heard()).length === 1)
    await until(async () => (await listed('queued')).some(({ error }) => error !== null))
    // As if it had waited through six more attempts.
    await stored().whereNotNull('error').update({ attempts: 7, not_before: new Date() })
    await until(async () => (await heard()).length === 3)
    const [first, last, next] = await heard()
    assert.deepEqual([first?.attempt, last?.attempt, next?.attempt, next?.payload?.number], [1, 8, 1, 2])
    assert.deepEqual([first?.id, first?.occurredAt], [last?.id, last?.occurredAt])
  })

  it('shows what was set aside, and tries it again on request', async () => {
    const [dead, ...more] = await listed()
    assert.deepEqual(more, [])
    const { id = '' } = dead ?? {}
    const of = (tenantId: number) => listed(`dead&tenant_id=${tenantId}`)
    assert.deepEqual([(await of(tenant.id)).map((event) => event.id), await of(tenant.id + 1)], [[id], []])
    const others = await admin.post(`/plugins/acme.silent/events/${id}/requeue`)
    assert.deepEqual(refusalOf(others), { status: 404, code: 4040, reason: 'plugin_event_not_found' })
    const chinese = await admin.get(`${plugin}/events?state=dead`, { headers: { 'accept-language': 'zh-CN' } })
    const [told] = dataOf(chinese)['items'] as unknown as { error: string }[]
    assert.deepEqual([dead?.error, told?.error], ['The plugin failed', '插件执行失败'])
    const missing = { status: 404, code: 4040, reason: 'plugin_event_not_found' }
    assert.deepEqual(refusalOf(await admin.post(`${plugin}/events/${Number(id) + 1}/requeue`)), missing)
    dataOf(await tenant.owner.post(`${mine}/api/mend`))
    dataOf(await admin.post(`${plugin}/events/${id}/requeue`))
    await until(async () => (await heard()).length === 4)
    const last = (await heard())[3]
    assert.deepEqual([last?.id, last?.attempt], [id, 1])
    await until(async () => (await stored()).length === 0)
    assert.deepEqual(refusalOf(await admin.post(`${plugin}/events/${id}/requeue`)), missing)
    assert.equal((await tenant.owner.get(`${plugin}/events`)).status, 403)
  })

  it('is for whoever was granted the event, for as long as the plugin may have it', async () => {
    const { knex } = platform.host.kernel.database
    const reached: Record<string, readonly string[]> = {}
    const trx = await knex.transaction()
    const look = async (what: string, type: string, sql?: string, tenantId = tenant.id) => {
      await trx.raw('savepoint before')
      if (sql !== undefined) await trx.raw(sql).queryContext({ tenant: 'all' })
      reached[what] = (await findSubscribers(trx, { type, tenantId })).map(({ name }) => name)
      await trx.raw('rollback to savepoint before')
    }
    const wild = `update plugin_grants set detail = '{"subscribe":["acme.reports.*"]}' where capability = 'events'`
    const said = 'acme.echo.said'
    try {
      await look('granted', said)
      await look('of another name', 'acme.echo.said2')
      await look('of another tenant', said, undefined, tenant.id + 1)
      await look('below a name', 'acme.reports.made', wild)
      await look('beside it', 'acme.reports2.made', wild)
      await look('switched off', said, 'update plugin_tenants set enabled_by_tenant = false')
      await look('taken away', said, 'update plugin_tenants set assigned = false')
      await look('refused', said, `update plugin_tenants set capabilities_denied = '["events"]'`)
      await look('taken back', said, `update plugins set withheld = '["events"]'`)
      await look('disabled', said, `update plugins set status = 'disabled'`)
      await look('being removed', said, 'update plugins set removing = true')
      await look('granted another release', said, `update plugin_grants set release_hash = '${'0'.repeat(64)}'`)
    } finally {
      await trx.rollback()
    }
    const nobody = ['of another name', 'of another tenant', 'beside it', 'switched off', 'taken away', 'refused']
    nobody.push('taken back', 'disabled', 'being removed', 'granted another release')
    const none = Object.fromEntries(nobody.map((what) => [what, []]))
    assert.deepEqual(reached, { granted: ['acme.echo'], 'below a name': ['acme.echo'], ...none })
  })

  it('ends for a tenant that refuses the capability', async () => {
    dataOf(await tenant.owner.post(`${mine}/enable`, { capabilities_denied: ['events'] }))
    const before = (await heard('kernel.config.changed')).length
    dataOf(await tenant.owner.put(`${mine}/config`, { currency: 'CHF' }))
    assert.deepEqual(await stored(), [])
    dataOf(await tenant.owner.post(`${mine}/enable`, { capabilities_denied: [] }))
    dataOf(await tenant.owner.put(`${mine}/config`, { currency: 'GBP' }))
    await until(async () => (await heard('kernel.config.changed')).length === before + 1)
  })
})
