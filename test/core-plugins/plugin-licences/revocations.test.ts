import assert from 'node:assert/strict'
import { createSigningKey, signLicence, type Licence, type SigningKey } from '#marketplace'
import { revoke } from '../../../marketplace/keeper/change-index.ts'
import type { Api } from '../../support/api.ts'
import { dataOf, refusalOf } from '../../support/platform.ts'
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
import { TestIndex } from '../plugin-index/world.ts'

/** Any signed index may list any licence: only one with a bond to its plugin, or its key, ends it. */
describe('a licence that an index source revokes', () => {
  let world: LicenceWorld
  let admin: Api
  let one: LicensedTenant

  beforeEach(async () => {
    world = await startLicenceWorld()
    admin = world.admin
    const [first] = await createTenants(admin, ['one'])
    assert.ok(first)
    one = first
  })
  afterEach(() => world[Symbol.asyncDispose]())

  /** Who asks is answered once what was read has been applied. */
  const read = (id: string) => admin.post(`/plugins/sources/${id}/refresh`).then(dataOf)
  const add = async (id: string, { directory, fingerprint }: TestIndex, more: object = {}) => {
    const source = { id, name: id, url: `file://${directory}/`, root_fingerprint: fingerprint, ...more }
    dataOf(await admin.post('/plugins/sources', source), 201)
    await read(id)
  }
  const indexAgainst = async (licences: readonly Licence[], publisher?: SigningKey) => {
    const index = await TestIndex.create('verified', publisher)
    await revoke(index.directory, { plugins: [], keys: [], licenses: licences.map(({ jti }) => jti) })
    await index.build()
    return index
  }
  const state = () => stateFor(admin, 'acme.paid', one.id)
  const isRefused = async (licence: Licence) => {
    const refused = await activate(world, licence)
    assert.equal(refusalOf(refused).reason, 'plugin_license_invalid')
    assert.deepEqual(refused.body['details'], { rule: 'revoked' })
  }

  it('goes on when the source has nothing to do with the plugin, and ends, for good, once an administrator lets it judge', async () => {
    await installLicensed(world, 'acme.paid', [one])
    const [used, unused] = [licenceOf(), licenceOf()]
    dataOf(await activate(world, used))
    await using index = await indexAgainst([used, unused])
    await add('stranger', index)
    assert.equal(await state(), 'active')
    dataOf(await activate(world, unused))
    dataOf(await admin.put('/plugins/sources/stranger', { judges: ['acme.*'] }))
    await read('stranger')
    assert.equal(await state(), 'revoked')
    for (const licence of [used, unused]) await isRefused(licence)
    dataOf(await admin.delete('/plugins/sources/stranger'))
    assert.equal(await state(), 'revoked')
  })

  it('ends by the source through which its key is believed, and not by one that lists the same key', async () => {
    const key = createSigningKey('acme-1')
    const licence = licenceOf({ kid: key.kid })
    const token = signLicence(licence, key)
    await using main = await TestIndex.create('verified', key)
    await main.publish('acme.paid', {
      manifest: {
        scope: 'tenant',
        licensing: { type: 'commercial', trialDays: 14, graceDays: 7, features: ['export'], keys: [key.kid] },
      },
    })
    await main.build()
    await using copy = await indexAgainst([licence], key)
    await world.platform.host.kernel.database.knex('plugin_publishers').delete()
    await add('main', main)
    dataOf(await admin.post('/plugins/install', { name: 'acme.paid' }), 201)
    dataOf(await admin.post('/plugins/acme.paid/enable'))
    dataOf(await admin.post('/plugins/acme.paid/tenants', { tenant_ids: [one.id] }))
    dataOf(await admin.post('/plugins/acme.paid/activate-license', { token }))
    await add('copy', copy)
    assert.equal(await state(), 'active')
    await revoke(main.directory, { plugins: [], keys: [], licenses: [licence.jti] })
    await main.build()
    await read('main')
    assert.equal(await state(), 'revoked')
  })
})
