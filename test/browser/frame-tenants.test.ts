import assert from 'node:assert/strict'
import type { Frame, Page } from 'playwright-core'
import { dataOf } from '../support/platform.ts'
import { actAsOwner } from './support/act-as-owner.ts'
import { framed, giveFramed } from './support/framed.ts'
import { demoOwner, useActs, type Credentials } from './support/stage.ts'

const other: Credentials = {
  account: 'owner@neighbours.test',
  password: 'a long enough passphrase',
  tenant_code: 'neighbours',
}
/** A header on every request would make a browser ask before it loads the scripts of a page with an origin of its own. */
const plain = { extraHTTPHeaders: {} }

describe('pages of plugins of two tenants in one browser', () => {
  const acts = useActs()
  let id = 0

  before(async () => {
    await giveFramed(acts.stage)
    const staff = await acts.stage.staff()
    const { account: email, password, tenant_code: code } = other
    id = Number(
      dataOf(await staff.post('/admin/tenants', { code, name: 'Neighbours', owner: { email, password } }), 201)['id'],
    )
    dataOf(await staff.post(`/admin/plugins/${framed}/tenants`, { tenant_ids: [id] }))
    const { api } = acts.stage.host
    const owner = api.as(dataOf(await api.post('/auth/login/json', other))['access_token'])
    dataOf(await owner.post(`/tenant/plugins/${framed}/enable`))
  })
  after(async () => {
    const staff = await acts.stage.staff()
    await staff.delete(`/admin/plugins/${framed}?purge=true`)
    await staff.delete(`/admin/tenants/${id}`)
  })

  it('38: each acts in the tenant of its own tab, also while an administrator acts as an owner', async () => {
    const context = await acts.signedIn(undefined, plain)
    await acts.signIn(context, other)
    const staff = await acts.tab(context, '/admin/tenants')
    await staff.getByRole('link', { name: 'Demo', exact: true }).click()
    const acting = await actAsOwner(staff, 'A test of frames')
    await acting.getByText(/You act as .* of Demo/).waitFor()
    // By its link: loaded anew, the tab would be the administrator's own again.
    const menu = acting.getByRole('navigation', { name: 'Main navigation' })
    await menu.getByRole('link', { name: 'Book', exact: true }).click()
    const neighbours = await acts.tab(context)
    await neighbours.addInitScript(
      `self.origin === 'null' || sessionStorage.setItem('stoa.hint', '{"scope":"tenant"}')`,
    )
    await neighbours.goto(acts.at(`/plugins/${framed}/book`))
    const theirs = await frameOf(neighbours, 'neighbours')
    const demo = await frameOf(acting, 'demo')

    // Both at once and one after the other; and whatever a page says of where it wants to be.
    for (let time = 0; time < 3; time += 1) {
      const told = await Promise.all([demo, theirs].map((frame) => frame.evaluate<readonly string[]>(wishes(id))))
      assert.deepEqual(told, [Array(5).fill('demo'), Array(5).fill('neighbours')])
    }
    const closed = acting.waitForEvent('close')
    await acting.getByRole('button', { name: 'End' }).click()
    await closed
    assert.deepEqual(await theirs.evaluate(wishes(id)), Array(5).fill('neighbours'))

    // Who signs in as somebody else in another tab does not change whom this one is of.
    await acts.signIn(context, demoOwner(acts.stage))
    assert.deepEqual(await theirs.evaluate(wishes(id)), Array(5).fill('neighbours'))
  })

  async function frameOf(page: Page, tenant: string): Promise<Frame> {
    await page.frameLocator('iframe').getByText(` ${tenant} read`).waitFor()
    return page.frames().find((frame) => frame.url().includes('/plugin-ui/')) ?? assert.fail('there is no frame')
  }
})

/** In whose name the plugin hears the same call, said plainly and with another tenant's names in all its parts. */
function wishes(tenant: number): string {
  const asked = [
    { query: {} },
    { query: { tenant_id: tenant, tenant: 'neighbours', tenant_code: 'neighbours' } },
    { query: { tenant_code: 'demo', 'x-tenant': 'demo' } },
    { headers: { 'x-tenant-id': String(tenant), 'x-tenant': 'neighbours', host: 'neighbours' } },
    { headers: { 'x-tenant': 'demo', authorization: 'none', cookie: 'rt=none' }, scope: 'tenant' },
  ]
  return `Promise.all(${JSON.stringify(asked)}.map((more) => stoa.request({ method: 'GET', path: '/echo/it', ...more })
    .then(({ ok, body, error }) => ok ? body.data.tenant : JSON.stringify(error), ({ reason }) => reason)))`
}
