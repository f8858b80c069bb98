import assert from 'node:assert/strict'
import type { Api } from '../support/api.ts'
import { dataOf } from '../support/platform.ts'
import { until } from '../support/until.ts'
import { useActs, type Credentials } from './support/stage.ts'

const password = 'a long enough passphrase'
const code = 'hundred'
const clerk: Credentials = { account: 'clerk@hundred.test', password, tenant_code: code }
const many = 100

describe('a batch of a hundred people', () => {
  const acts = useActs()
  let tenant = 0
  let owner: Api
  /** The number of each by name, in the order of names. */
  const ids = new Map<string, number>()

  before(async () => {
    const staff = await acts.stage.staff()
    const first = { email: 'owner@hundred.test', password }
    tenant = Number(dataOf(await staff.post('/admin/tenants', { code, name: 'Hundred', owner: first }), 201)['id'])
    const { api } = acts.stage.host
    const credentials = { account: first.email, password, tenant_code: code }
    owner = api.as(dataOf(await api.post('/auth/login/json', credentials))['access_token'])
    await add({ email: clerk.account, nickname: 'Clerk', password, roles: ['tenant_admin'] })
    for (let at = 0; at < many; at += 1) {
      const nickname = `many-${String(at).padStart(3, '0')}`
      ids.set(nickname, await add({ email: `${nickname}@hundred.test`, nickname, roles: ['tenant_user'] }))
    }
  })
  after(async () => {
    await (await acts.stage.staff()).delete(`/admin/tenants/${tenant}`)
  })

  it('29: of a hundred users three cannot be changed: the others are, the three are named, and tried again alone', async () => {
    const page = await acts.tab(await acts.signedIn(clerk), '/tenant/users?q=many-&page_size=100&sort=nickname')
    await page.getByRole('checkbox', { name: 'Select all rows of this page' }).check()
    await page.getByText('100 selected').waitFor()
    // Meanwhile three become owners, whom no clerk changes.
    const three = [...ids.keys()].filter((_, at) => at % 40 === 7)
    assert.equal(three.length, 3)
    await give(three, 'tenant_owner')
    const asked: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'PUT') asked.push(new URL(request.url()).pathname)
    })
    await page.getByRole('button', { name: 'Disable', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: '3 could not be changed' })
    const named = dialog.getByRole('listitem')
    await dialog.waitFor()
    assert.deepEqual((await named.locator('strong').allInnerTexts()).toSorted(), three)
    for (const reason of await named.locator('.soft').allInnerTexts()) assert.match(reason, /\w{3,}/)
    await page.getByText('97 changed').waitFor()
    assert.equal(asked.length, many)
    assert.equal(await countOf('disabled'), 97)

    await give(three.slice(1), 'tenant_user')
    asked.length = 0
    await dialog.getByRole('button', { name: 'Try again' }).click()
    const last = page.getByRole('dialog', { name: '1 could not be changed' })
    await last.waitFor()
    assert.deepEqual(await last.getByRole('listitem').locator('strong').allInnerTexts(), three.slice(0, 1))
    assert.deepEqual(asked.toSorted(), three.map((name) => `/tenant/users/${ids.get(name)}`).toSorted())
    await give(three.slice(0, 1), 'tenant_user')
    asked.length = 0
    await last.getByRole('button', { name: 'Try again' }).click()
    await last.waitFor({ state: 'detached' })
    assert.deepEqual(asked, [`/tenant/users/${ids.get(three[0] ?? '')}`])
    await until(async () => (await countOf('disabled')) === many)
  })

  async function add(user: object): Promise<number> {
    return Number(dataOf(await owner.post('/tenant/users', user), 201)['id'])
  }
  async function give(names: readonly string[], role: string): Promise<void> {
    for (const name of names) dataOf(await owner.put(`/tenant/users/${ids.get(name)}`, { roles: [role] }))
  }
  async function countOf(status: string): Promise<number> {
    return Number(dataOf(await owner.get(`/tenant/users?q=many-&status=${status}`))['total'])
  }
})
