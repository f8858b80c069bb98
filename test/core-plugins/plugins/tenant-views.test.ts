import assert from 'node:assert/strict'
import type { Api } from '../../support/api.ts'
import { createTenant, createUser, dataOf, startPlatform, type Platform } from '../../support/platform.ts'
import { installAndEnable, packSmall } from '../../support/small-plugin.ts'

interface Shown {
  readonly name: string
  readonly capabilities?: readonly string[]
}

describe('what the users of a tenant see of its plugins', () => {
  let platform: Platform
  let owner: Api
  let guest: Api

  before(async () => {
    platform = await startPlatform()
    const tenant = await createTenant(platform.admin, 'one')
    owner = tenant.owner
    guest = await createUser(owner, 'one', ['user_profile:*'])
    const pages = {
      capabilities: ['notify'],
      optionalCapabilities: ['ui'],
      reasons: { notify: 'Tells people.', ui: 'Shows a page.' },
      slots: [{ slot: 'page', id: 'home', entry: 'ui/home.html', title: { default: 'Home' } }],
    }
    const zip = await packSmall('acme.shown', pages, '{ handlers: {} }', { 'ui/home.html': '<p>Home</p>' })
    await installAndEnable(platform.admin, zip)
    dataOf(await platform.admin.post('/plugins/acme.shown/tenants', { tenant_ids: [tenant.id] }))
    dataOf(await owner.post('/tenant/plugins/acme.shown/enable'))
  })
  after(() => platform[Symbol.asyncDispose]())

  const listed = async (by: Api) => {
    const { items } = dataOf(await by.get('/tenant/plugins')) as unknown as { readonly items: readonly Shown[] }
    return items.map(({ name, capabilities }) => [name, capabilities])
  }
  const pagesOf = async (by: Api) => {
    const { pages } = dataOf(await by.get('/plugins/slots')) as unknown as { readonly pages: readonly { id: string }[] }
    return pages.map(({ id }) => id)
  }

  it('are those with something for them; what each may do is for whoever manages plugins', async () => {
    assert.deepEqual(await listed(owner), [['acme.shown', ['notify', 'ui']]])
    assert.deepEqual(await listed(guest), [['acme.shown', undefined]])
  })

  it('are pages, unless the tenant refused them or has the plugin no more', async () => {
    const seen = async () => [await pagesOf(owner), await pagesOf(guest)]
    assert.deepEqual(await seen(), [['home'], ['home']])
    dataOf(await owner.post('/tenant/plugins/acme.shown/enable', { capabilities_denied: ['ui'] }))
    assert.deepEqual(await seen(), [[], []])
    dataOf(await owner.post('/tenant/plugins/acme.shown/enable', { capabilities_denied: [] }))
    dataOf(await owner.post('/tenant/plugins/acme.shown/disable'))
    assert.deepEqual(await seen(), [[], []])
    assert.deepEqual(await listed(guest), [])
  })
})
