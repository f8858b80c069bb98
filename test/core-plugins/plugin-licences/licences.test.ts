import assert from 'node:assert/strict'
import { pluginTools } from '../../../core-plugins/plugin-offers/contract.ts'
import type { Api, Body } from '../../support/api.ts'
import { dataOf, refusalOf } from '../../support/platform.ts'
import { until } from '../../support/until.ts'
import {
  activate,
  age,
  createTenants,
  hearChanges,
  installLicensed,
  licenceOf,
  secondsFromNow,
  startLicenceWorld,
  stateFor,
  type LicensedTenant,
  type LicenceWorld,
} from './world.ts'

const unlicensed = { status: 403, code: 4038, reason: 'license_required' }
const day = 86_400

describe('licences of plugins', () => {
  let world: LicenceWorld
  let admin: Api
  let one: LicensedTenant
  let two: LicensedTenant
  before(async () => {
    world = await startLicenceWorld()
    admin = world.admin
    ;[one, two] = (await createTenants(admin, ['one', 'two'])) as [LicensedTenant, LicensedTenant]
  })
  after(() => world[Symbol.asyncDispose]())

  const api = (plugin: string) => `/tenant/plugins/${plugin}/api`
  const facts = (by: LicensedTenant, plugin = 'acme.paid') => by.owner.get(`${api(plugin)}/facts`)
  const save = (by: LicensedTenant, plugin = 'acme.paid') => by.owner.post(`${api(plugin)}/save`)

  it('are needed for everything but settings and administration', async () => {
    await installLicensed(world, 'acme.paid', [one, two])
    for (const answer of [await facts(one), await save(one)]) assert.deepEqual(refusalOf(answer), unlicensed)
    assert.deepEqual(refusalOf(await admin.get('/admin/plugins/acme.paid/api/facts')), unlicensed)
    const { state, tenants, host } = dataOf(await admin.get('/plugins/acme.paid/license'))
    assert.equal(state, 'none')
    assert.equal(host, world.host)
    assert.equal((tenants as unknown as Body[]).length, 2)
  })

  it('open the plugin at once, and it is told what they give', async () => {
    const licence = licenceOf({ host: world.host, tenants: [one.id], exp: secondsFromNow(40 * day) })
    const { licensing } = dataOf(await activate(world, licence)) as unknown as { licensing: Record<string, unknown> }
    assert.deepEqual(
      [licensing['type'], licensing['state'], licensing['features']],
      ['commercial', 'active', ['export']],
    )
    for (const [tenant, state] of [
      [one, 'active'],
      [two, 'none'],
    ] as const) {
      const { items } = dataOf(await tenant.owner.get('/plugins')) as unknown as { items: Body[] }
      assert.equal(items.find(({ name }) => (name as unknown) === 'acme.paid')?.['licensing']?.['state'], state)
    }
    const expiresAt = new Date((licence.exp ?? 0) * 1000).toISOString()
    assert.deepEqual(dataOf(await facts(one)), { state: 'active', features: ['export'], expiresAt })
    assert.equal(dataOf(await save(one)), 'saved')
    assert.equal(dataOf(await admin.post('/admin/plugins/acme.paid/api/save')), 'saved')
    assert.deepEqual(refusalOf(await facts(two)), unlicensed)
  })

  it('add up: the best state counts, and what any of them opens is open', async () => {
    dataOf(await activate(world, licenceOf({ tenants: [one.id], features: ['sync'], exp: null })))
    const known = dataOf(await facts(one))
    assert.deepEqual(known, { state: 'active', features: ['export', 'sync'], expiresAt: null })
  })

  it('are revoked for one tenant, or altogether, and what is there stays readable', async () => {
    dataOf(await activate(world, licenceOf({ tenants: '*' })))
    assert.equal(dataOf(await save(two)), 'saved')
    dataOf(await admin.delete(`/plugins/acme.paid/license?tenant_id=${two.id}`))
    assert.deepEqual(refusalOf(await save(two)), unlicensed)
    assert.equal(dataOf(await facts(two))['state'], 'revoked')
    assert.equal(dataOf(await save(one)), 'saved')
    dataOf(await admin.delete('/plugins/acme.paid/license'))
    assert.deepEqual(refusalOf(await save(one)), unlicensed)
    assert.equal(await stateFor(admin, 'acme.paid', one.id), 'revoked')
    const again = refusalOf(await admin.delete('/plugins/acme.paid/license'))
    assert.deepEqual(again, { status: 404, code: 4040, reason: 'plugin_license_not_found' })
  })

  it('that end stop what writes before what reads, after a grace in which all goes on', async () => {
    await installLicensed(world, 'acme.ending', [one])
    const heard = await hearChanges(world)
    const states = () => heard.flatMap((line) => line.split(`acme.ending ${one.id} `).slice(1))
    const tools = world.platform.host.kernel.services.get(pluginTools)
    const list = () => tools.list(one.id).flatMap(({ plugin, name }) => (plugin === 'acme.ending' ? [name] : []))
    const caller = { tenant: { id: one.id, code: 'one' } }
    const change = () => tools.call({ plugin: 'acme.ending', name: 'change' }, {}, caller)
    dataOf(await activate(world, licenceOf({ plugin: 'acme.ending', exp: secondsFromNow(2 * day), grace: 3 })))
    await until(() => states().length === 1)
    await age(world, 'acme.ending', 3 * day, one)
    await until(() => states().length === 2)
    assert.equal(dataOf(await save(one, 'acme.ending')), 'saved')
    assert.deepEqual(list(), ['change', 'look'])
    await age(world, 'acme.ending', 3 * day, one)
    await until(() => states().length === 3)
    assert.deepEqual(states(), ['active', 'grace', 'expired'])
    assert.deepEqual(refusalOf(await save(one, 'acme.ending')), unlicensed)
    assert.equal(dataOf(await facts(one, 'acme.ending'))['state'], 'expired')
    assert.deepEqual(list(), ['look'])
    assert.deepEqual(await change(), {
      ...{ ok: false, code: 4038, reason: 'license_required', message: 'The plugin is not licensed for this' },
    })
    assert.deepEqual(await tools.call({ plugin: 'acme.ending', name: 'look' }, {}, caller), {
      ok: true,
      content: 'seen',
    })
  })

  it('tell administrators before their end, in their grace and at their end, once each', async () => {
    const told = async () => {
      const { items } = dataOf(await admin.get('/notifications?page_size=100'))
      return (items as unknown as { title: string }[]).flatMap(({ title }) =>
        title.includes('acme.ending') ? [title] : [],
      )
    }
    await until(async () => (await told()).length === 2)
    dataOf(await activate(world, licenceOf({ plugin: 'acme.ending', exp: secondsFromNow(20 * day) })))
    for (const [count, days] of [10, 8, 1.5].entries()) {
      await age(world, 'acme.ending', days * day, one)
      await until(async () => (await told()).length === count + 3)
    }
    assert.deepEqual((await told()).reverse(), [
      'The licence of acme.ending has ended: everything goes on until its grace is over',
      'The licence of acme.ending is over: it can be read and does nothing else',
      'The licence of acme.ending ends in less than 14 days',
      'The licence of acme.ending ends in less than 3 days',
      'The licence of acme.ending ends within a day',
    ])
  })

  it('that are over by the clock are over without anybody writing it down', async () => {
    await installLicensed(world, 'acme.short', [one])
    dataOf(await activate(world, licenceOf({ plugin: 'acme.short', exp: secondsFromNow(8) })))
    assert.equal(dataOf(await save(one, 'acme.short')), 'saved')
    await until(async () => (await save(one, 'acme.short')).status === 403)
  })

  it('that were over stay over when the clock is set back', async () => {
    await installLicensed(world, 'acme.clock', [one])
    dataOf(await activate(world, licenceOf({ plugin: 'acme.clock', exp: secondsFromNow(2 * day) })))
    const { knex } = world.platform.host.kernel.database
    // As if the clock had been three days ahead of what it says now.
    await knex('plugin_licence_clock').update({ seen_at: new Date(Date.now() + 3 * day * 1000) })
    await age(world, 'acme.clock', 0, one)
    await until(async () => (await save(one, 'acme.clock')).status === 403)
    assert.equal(await stateFor(admin, 'acme.clock', one.id), 'expired')
    await knex('plugin_licence_clock').update({ seen_at: new Date() })
    await age(world, 'acme.clock', 0, one)
  })
})
