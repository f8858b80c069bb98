import assert from 'node:assert/strict'
import { dataOf, refusalOf } from '../../support/platform.ts'
import { until } from '../../support/until.ts'
import { activate, createTenants, installLicensed, licenceOf, secondsFromNow, startLicenceWorld } from './world.ts'

const day = 86_400
const path = '/admin/plugins/ending-licenses'

describe('licences that end soon', () => {
  it('are listed, the first to end first, those in their grace too, and nobody whose licence goes on', async () => {
    await using world = await startLicenceWorld()
    const { admin } = world
    const [one, two, three] = await createTenants(admin, ['one', 'two', 'three'])
    assert.ok(one && two && three)
    await installLicensed(world, 'acme.paid', [one, two, three])
    const ends = { [one.id]: 10, [two.id]: 40, [three.id]: -1 }
    for (const [id, days] of Object.entries(ends)) {
      const exp = secondsFromNow(days * day)
      const licence = licenceOf({ tenants: [Number(id)], nbf: secondsFromNow(-50 * day), exp, grace: 7 })
      dataOf(await activate(world, licence))
    }
    const list = async (query = '') => {
      const { items, total } = dataOf(await admin.get(`${path}${query}`)) as unknown as {
        items: { plugin: string; tenant: { code: string }; state: string; expires_at: string }[]
        total: number
      }
      assert.equal(total, items.length)
      return items.map(({ plugin, tenant, state, expires_at: at }) => {
        return [plugin, tenant.code, state, Math.round((Date.parse(at) / 1000 - secondsFromNow(0)) / day)]
      })
    }
    const inGrace = ['acme.paid', 'three', 'grace', -1]
    const soon = ['acme.paid', 'one', 'active', 10]
    // Hosts learn of licences a moment after they are activated; a page and its total are read one after the other.
    await until(async () => Object.keys(dataOf(await admin.get(`${path}?days=60`))['items'] ?? {}).length === 3)
    assert.deepEqual(await list(), [inGrace, soon])
    assert.deepEqual(await list('?days=0'), [inGrace])
    assert.deepEqual(await list('?days=60&sort=-expires_at'), [['acme.paid', 'two', 'active', 40], soon, inGrace])
    assert.deepEqual(await list('?q=PAID&page_size=100'), [inGrace, soon])
    assert.deepEqual(await list('?q=other'), [])
    assert.deepEqual([await list('?state=grace'), await list('?state=trial')], [[inGrace], []])
    assert.equal(refusalOf(await admin.get(`${path}?days=400`)).code, 4221)
    assert.equal(refusalOf(await one.owner.get(path)).code, 4033)
  })
})
