import assert from 'node:assert/strict'
import type { Api } from '../../support/api.ts'
import { dataOf } from '../../support/platform.ts'
import { installAndEnable, packSmall } from '../../support/small-plugin.ts'
import { until } from '../../support/until.ts'
import {
  activate,
  createTenants,
  licenceOf,
  startLicenceWorld,
  type LicensedTenant,
  type LicenceWorld,
} from './world.ts'
import { makeDue, rowsOf } from '../plugin-schedules/schedules-world.ts'

/** A plugin that counts its runs and what it hears. */
function packCounter(): Promise<Buffer> {
  const definition = `{
    handlers: { counted: async (_, ctx) => ({ runs: await ctx.cache.get('runs'), heard: await ctx.cache.get('heard') }) },
    schedules: { tick: (_, ctx) => ctx.cache.set('runs', true) },
    events: { 'kernel.config.changed': (_, ctx) => ctx.cache.set('heard', true) },
  }`
  return packSmall(
    'acme.counter',
    {
      capabilities: ['schedule', 'events', 'config'],
      reasons: { schedule: 'Counts.', events: 'Counts.', config: 'Is set up.' },
      licensing: { type: 'commercial', keys: ['acme-lic'] },
      events: { subscribe: ['kernel.config.changed'] },
      config: [{ key: 'currency', type: 'STRING', scope: 'tenant' }],
      schedules: [{ id: 'tick', cron: '0 4 1 1 *', handler: 'tick', perTenant: true }],
      tenant_routes: [{ method: 'GET', path: '/counted', handler: 'counted' }],
    },
    definition,
  )
}

describe('what a licence is needed for', () => {
  let world: LicenceWorld
  let admin: Api
  let one: LicensedTenant
  before(async () => {
    world = await startLicenceWorld()
    admin = world.admin
    ;[one] = (await createTenants(admin, ['one'])) as [LicensedTenant]
    await installAndEnable(admin, await packCounter())
    dataOf(await admin.post('/plugins/acme.counter/tenants', { tenant_ids: [one.id] }))
    dataOf(await one.owner.post('/tenant/plugins/acme.counter/enable'))
  })
  after(() => world[Symbol.asyncDispose]())

  const counted = async () => dataOf(await one.owner.get('/tenant/plugins/acme.counter/api/counted'))
  const licence = licenceOf({ plugin: 'acme.counter' })

  it('settings are there without one, and what happens meanwhile is heard later', async () => {
    dataOf(await one.owner.put('/tenant/plugins/acme.counter/config', { currency: 'EUR' }))
    const waiting = () => {
      const events = world.platform.host.kernel.database.knex('plugin_events').queryContext({ tenant: 'all' })
      return events.whereRaw('not_before > now()')
    }
    await until(async () => (await waiting()).length === 1)
    assert.equal((await rowsOf(world.platform, 'tick')).length, 0, 'nothing is planned')
    dataOf(await activate(world, licence))
    await until(async () => (await counted())['heard'] === (true as unknown))
  })

  it('schedules run with one, and not when it ended', async () => {
    await until(async () => (await rowsOf(world.platform, 'tick')).length === 1)
    await makeDue(world.platform, 'tick')
    await until(async () => (await counted())['runs'] === (true as unknown))
    dataOf(await admin.delete('/plugins/acme.counter/license'))
    await until(async () => (await rowsOf(world.platform, 'tick').whereNotNull('next_run_at')).length === 0)
    dataOf(await activate(world, licence))
    await until(async () => (await rowsOf(world.platform, 'tick').whereNotNull('next_run_at')).length === 1)
  })
})
