import assert from 'node:assert/strict'
import type { GuestLicense } from '#sandbox'
import type { Api, Body } from '../../support/api.ts'
import { dataOf, refusalOf } from '../../support/platform.ts'
import { until } from '../../support/until.ts'
import {
  activate,
  createTenants,
  installLicensed,
  licenceOf,
  startLicenceWorld,
  stateFor,
  type LicensedTenant,
  type LicenceWorld,
} from './world.ts'

const used = { status: 409, code: 4094, reason: 'plugin_trial_used' }

describe('trials of plugins', () => {
  let world: LicenceWorld
  let admin: Api
  let one: LicensedTenant
  let two: LicensedTenant
  before(async () => {
    world = await startLicenceWorld()
    admin = world.admin
    ;[one, two] = (await createTenants(admin, ['one', 'two'])) as [LicensedTenant, LicensedTenant]
    await installLicensed(world, 'acme.paid', [one, two])
  })
  after(() => world[Symbol.asyncDispose]())

  const begin = (plugin: string, body: object = {}) => admin.post(`/plugins/${plugin}/activate-trial`, body)
  const rowsOf = (table: string) => world.platform.host.kernel.database.knex(table).queryContext({ tenant: 'all' })

  it('begin for one tenant with everything that the plugin offers, for as long as it says', async () => {
    dataOf(await begin('acme.paid', { tenant_id: one.id }))
    const facts = dataOf(await one.owner.get('/tenant/plugins/acme.paid/api/facts')) as unknown as GuestLicense
    const { state, features, expiresAt } = facts
    assert.deepEqual([state, features], ['trial', ['export', 'sync']])
    const days = (Date.parse(expiresAt ?? '') - Date.now()) / 86_400_000
    assert.ok(days > 13.9 && days <= 14, String(days))
    assert.equal(await stateFor(admin, 'acme.paid', two.id), 'none')
  })

  it('begin once, for whom they have not begun', async () => {
    assert.deepEqual(refusalOf(await begin('acme.paid', { tenant_id: one.id })), used)
    dataOf(await begin('acme.paid'))
    assert.equal(await stateFor(admin, 'acme.paid', two.id), 'trial')
    assert.deepEqual(refusalOf(await begin('acme.paid')), used)
  })

  it('begin once of two that are begun at the same time', async () => {
    await installLicensed(world, 'acme.race', [one])
    const answers = await Promise.all([1, 2, 3].map(() => begin('acme.race', { tenant_id: one.id })))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409])
  })

  it('do not begin for whom has or had a licence, nor where none is offered', async () => {
    await installLicensed(world, 'acme.sold', [one])
    dataOf(await activate(world, licenceOf({ plugin: 'acme.sold' })))
    const licensed = { status: 409, code: 4094, reason: 'plugin_licensed' }
    assert.deepEqual(refusalOf(await begin('acme.sold', { tenant_id: one.id })), licensed)
    dataOf(await admin.delete('/plugins/acme.sold/license'))
    assert.deepEqual(refusalOf(await begin('acme.sold', { tenant_id: one.id })), licensed)
    const licensing = { type: 'commercial', keys: ['acme-lic'] }
    await installLicensed(world, 'acme.untried', [one], { licensing })
    const none = { status: 400, code: 4002, reason: 'plugin_trial_not_offered' }
    assert.deepEqual(refusalOf(await begin('acme.untried', { tenant_id: one.id })), none)
  })

  it('give way to a licence, which a trial that was refused did not use up', async () => {
    dataOf(await activate(world, licenceOf({ tenants: [one.id] })))
    assert.equal(await stateFor(admin, 'acme.paid', one.id), 'active')
    assert.equal(await stateFor(admin, 'acme.paid', two.id), 'trial')
  })

  for (const path of ['/plugins/acme.paid', '/plugins/acme.paid/force-cleanup']) {
    it(`do not begin again after DELETE ${path} and another install, though all rows are gone`, async () => {
      const tables = ['plugin_licences', 'plugin_licence_tenants', 'plugin_licence_states']
      const { id } = dataOf(await admin.get('/plugins/acme.paid')) as unknown as { id: number }
      const removed = dataOf(await admin.delete(path))
      for (const table of tables) assert.deepEqual(await rowsOf(table).where({ plugin_id: id }), [], table)
      assert.ok(removed['deleted'])
      await installLicensed(world, 'acme.paid', [one, two])
      assert.equal(await stateFor(admin, 'acme.paid', one.id), 'none')
      for (const body of [{ tenant_id: one.id }, { tenant_id: two.id }, {}])
        assert.deepEqual(refusalOf(await begin('acme.paid', body)), used)
    })
  }

  it('of a tenant that is deleted leave nothing but that they were', async () => {
    const [gone] = await createTenants(admin, ['gone'])
    assert.ok(gone)
    await installLicensed(world, 'acme.left', [gone])
    dataOf(await activate(world, licenceOf({ plugin: 'acme.left', seats: 1 })))
    dataOf(await admin.delete(`/admin/tenants/${gone.id}`))
    await until(async () => (await rowsOf('plugin_licence_tenants').where({ tenant_id: gone.id })).length === 0)
    const { licenses } = dataOf(await admin.get('/plugins/acme.left/license'))
    assert.equal((licenses as unknown as Body[])[0]?.['seats_used'], 0)
  })
})
