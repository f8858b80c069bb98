import assert from 'node:assert/strict'
import { createSigningKey, signLicence, type Licence, type SigningKey } from '#marketplace'
import type { Api, Body } from '../../support/api.ts'
import { dataOf, refusalOf } from '../../support/platform.ts'
import {
  activate,
  createTenants,
  installLicensed,
  licenceOf,
  secondsFromNow,
  startLicenceWorld,
  stateFor,
  trustKey,
  type LicensedTenant,
  type LicenceWorld,
} from './world.ts'

const day = 86_400
const invalid = { status: 400, code: 4002, reason: 'plugin_license_invalid' }

describe('activating licences', () => {
  let world: LicenceWorld
  let admin: Api
  let one: LicensedTenant
  let two: LicensedTenant
  let foreign: SigningKey
  before(async () => {
    world = await startLicenceWorld()
    admin = world.admin
    ;[one, two] = (await createTenants(admin, ['one', 'two'])) as [LicensedTenant, LicensedTenant]
    await installLicensed(world, 'acme.paid', [one, two])
    foreign = createSigningKey('other-lic')
    await trustKey(world.platform, 'other', foreign)
    await trustKey(world.platform, 'acme', createSigningKey('acme-unlisted'))
  })
  after(() => world[Symbol.asyncDispose]())

  async function refused(licence: Licence, key = world.key, plugin = 'acme.paid'): Promise<unknown> {
    const answer = await admin.post(`/plugins/${plugin}/activate-license`, { token: signLicence(licence, key) })
    assert.deepEqual(refusalOf(answer), invalid)
    return answer.body['details']?.['rule']
  }

  it('is refused for other keys, publishers, plugins, sites and times, naming the rule', async () => {
    const unlisted = createSigningKey('acme-unlisted')
    assert.equal(await refused(licenceOf({ kid: 'acme-unlisted' }), unlisted), 'key')
    assert.equal(await refused(licenceOf({ kid: 'other-lic', plugin: 'other.paid', pub: 'other' }), foreign), 'key')
    assert.equal(await refused(licenceOf(), createSigningKey('acme-lic')), 'signature')
    assert.equal(await refused(licenceOf({ kid: 'site' }), createSigningKey('site')), 'key')
    assert.equal(await refused(licenceOf({ plugin: 'acme.else' })), 'plugin')
    assert.equal(await refused(licenceOf({ host: `site-${'0'.repeat(32)}` })), 'host')
    const later = { nbf: secondsFromNow(day), exp: secondsFromNow(2 * day) }
    assert.equal(await refused(licenceOf(later)), 'not_yet')
    assert.equal(await refused(licenceOf({ nbf: 1, exp: 2 })), 'over')
    assert.equal(await refused(licenceOf({ tenants: [999_999] })), 'tenants')
    const nonsense = await admin.post('/plugins/acme.paid/activate-license', { token: 'nonsense' })
    assert.deepEqual(refusalOf(nonsense), invalid)
    assert.deepEqual(dataOf(await admin.get('/plugins/acme.paid/license'))['licenses'], [])
  })

  it('says in Chinese what is wrong', async () => {
    const headers = { 'accept-language': 'zh-CN' }
    const answer = await admin.call('GET', '/admin/plugins/acme.paid/api/facts', { headers })
    assert.equal(answer.body['message'], '该插件没有用于此操作的许可证')
  })

  it('fills seats, and frees those that are revoked', async () => {
    const licence = licenceOf({ seats: 1 })
    const beyond = await activate(world, licence)
    assert.deepEqual(refusalOf(beyond), { status: 400, code: 4002, reason: 'plugin_license_seats' })
    assert.deepEqual(beyond.body['details'], { seats: 1, wanted: 2 })
    dataOf(await activate(world, licence, [one.id]))
    assert.deepEqual(refusalOf(await activate(world, licence, [two.id])).reason, 'plugin_license_seats')
    dataOf(await admin.delete(`/plugins/acme.paid/license?tenant_id=${one.id}`))
    dataOf(await activate(world, licence, [two.id]))
    const { licenses } = dataOf(await admin.get('/plugins/acme.paid/license'))
    const [shown] = licenses as unknown as Body[]
    assert.deepEqual(
      [shown?.['id'], shown?.['seats'], shown?.['seats_used'], shown?.['tenant_ids'], shown?.['revoked_for']],
      [licence.jti, 1, 1, [two.id], [one.id]],
    )
    assert.deepEqual(
      [await stateFor(admin, 'acme.paid', one.id), await stateFor(admin, 'acme.paid', two.id)],
      ['revoked', 'active'],
    )
  })

  it('is refused for tenants that are not there or not in the token', async () => {
    const none = await activate(world, licenceOf(), [999_999])
    assert.equal(refusalOf(none).code, 4220)
    const others = await activate(world, licenceOf({ tenants: [one.id] }), [two.id])
    assert.deepEqual((others.body['errors'] as unknown as Body[])[0]?.['rule'], 'licensed')
  })

  it('is for those who may, and stands in the log and among the operations', async () => {
    const path = '/plugins/acme.paid/activate-license'
    assert.equal(refusalOf(await one.owner.post(path, { token: 'a' })).status, 403)
    const logged = dataOf(await admin.get('/admin/audit-logs?limit=100'))['items'] as unknown as Body[]
    const actions = new Set(logged.map(({ action }) => action as unknown))
    for (const action of ['plugin.license_activated', 'plugin.license_revoked']) assert.ok(actions.has(action), action)
    assert.ok(!JSON.stringify(logged).includes('eyJ'), 'no token in the log')
    const operations = dataOf(await admin.get('/plugins/acme.paid/operations'))['items'] as unknown as Body[]
    const kinds = operations.map(({ kind }) => kind as unknown)
    for (const kind of ['license', 'revoke_license']) assert.ok(kinds.includes(kind), kind)
  })

  it('of a licence for the site holds for a plugin of the platform, which names no tenants', async () => {
    const less = { capabilities: [], reasons: {}, provides: {}, tenant_routes: [] }
    await installLicensed(world, 'acme.whole', [], { scope: 'platform', ...less })
    const plugin = 'acme.whole'
    const listed = await activate(world, licenceOf({ plugin, tenants: [one.id] }))
    assert.deepEqual(listed.body['details']?.['rule'], 'tenants')
    assert.equal(refusalOf(await activate(world, licenceOf({ plugin }), [one.id])).reason, 'plugin_not_assignable')
    dataOf(await activate(world, licenceOf({ plugin })))
    assert.equal(dataOf(await admin.post('/admin/plugins/acme.whole/api/save')), 'saved')
    assert.deepEqual(dataOf(await admin.get('/plugins/acme.whole/license'))['tenants'], [])
  })

  it('opens features of a free plugin, which goes on without a licence', async () => {
    const plugin = 'acme.free'
    await installLicensed(world, plugin, [one], {
      licensing: { type: 'free', features: ['export'], keys: ['acme-lic'] },
    })
    const facts = () => one.owner.get('/tenant/plugins/acme.free/api/facts')
    assert.equal(dataOf(await facts())['state'], 'none')
    dataOf(await activate(world, licenceOf({ plugin })))
    assert.deepEqual(dataOf(await facts())['features'], ['export'])
    dataOf(await admin.delete('/plugins/acme.free/license'))
    assert.deepEqual(dataOf(await facts())['features'], [])
    assert.equal(dataOf(await one.owner.post('/tenant/plugins/acme.free/api/save')), 'saved')
  })
})
