import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { BrowserContext, Page, Request } from 'playwright-core'
import type { Api } from '../support/api.ts'
import { dataOf } from '../support/platform.ts'
import { until } from '../support/until.ts'
import { useActs, type Credentials } from './support/stage.ts'

const password = 'a long enough passphrase'
const many = 24

describe('where somebody has been', () => {
  const acts = useActs()
  /** What the people of these tests are called, who are nobody else’s. */
  const past = `past-${randomUUID().slice(0, 8)}`
  /** What a tab has asked for, and did not get yet. */
  const underWay = new WeakMap<Page, Set<Request>>()
  /** Nothing happens in their tenant besides. */
  const first: Credentials = { account: 'owner@past.test', password, tenant_code: 'past' }
  let owner: Api
  let tenant = 0

  before(async () => {
    const staff = await acts.stage.staff()
    const wish = { code: first.tenant_code, name: 'Past', owner: { email: first.account, password } }
    tenant = Number(dataOf(await staff.post('/admin/tenants', wish), 201)['id'])
    dataOf(await staff.post('/admin/plugins/acme.guestbook/tenants', { tenant_ids: [tenant] }))
    const { api } = acts.stage.host
    owner = api.as(dataOf(await api.post('/auth/login/json', first))['access_token'])
    for (let at = 0; at < many; at += 1) {
      const nickname = `${past}-${String(at).padStart(2, '0')}`
      const user = { email: `${nickname}@past.test`, nickname, password, roles: ['tenant_user'] }
      const id = Number(dataOf(await owner.post('/tenant/users', user), 201)['id'])
      if (at < 3) dataOf(await owner.put(`/tenant/users/${id}`, { status: 'disabled' }))
    }
  })

  after(async () => {
    await (await acts.stage.staff()).delete(`/admin/tenants/${tenant}`)
  })

  it('19: back and forward over thirty steps show the same pages, lists, tabs and dialogues', async () => {
    const page = await watched(await acts.signedIn(first), '/tenant')
    const states = [await settled(page)]
    for (const step of stepsOn(page)) {
      const before = page.url()
      await step()
      await until(() => page.url() !== before)
      states.push(await settled(page))
    }
    assert.equal(states.length, 31)
    for (const [at, state] of states.entries()) assert.notEqual(state, states[at + 1], `step ${at} shows nothing new`)
    for (const expected of states.slice(0, -1).toReversed()) {
      await page.evaluate('history.back()')
      await shows(page, expected)
    }
    for (const expected of states.slice(1)) {
      await page.evaluate('history.forward()')
      await shows(page, expected)
    }
  })

  it('19: the address of a list shows the same rows to another administrator', async () => {
    const page = await watched(await acts.signedIn(first), '/tenant/users')
    await page.getByRole('main').getByRole('searchbox', { name: 'Search' }).fill(past)
    // What is typed is asked for a moment later, from the first page on.
    await page.waitForURL((url) => url.searchParams.get('q') === past)
    await page.getByLabel('Rows', { exact: true }).selectOption('10')
    await page.getByRole('combobox', { name: 'Status' }).selectOption('Active')
    await page.getByRole('columnheader', { name: 'Name' }).getByRole('button', { name: 'Name' }).click()
    await page.getByRole('columnheader', { name: 'Name' }).getByRole('button', { name: 'Name' }).click()
    await page.getByRole('button', { name: 'Next page' }).click()
    await page.waitForURL((url) => url.searchParams.get('page') === '2')
    await settled(page)
    const names = await namesOn(page)
    assert.deepEqual(
      names,
      Array.from({ length: 10 }, (_, at) => `${past}-${String(13 - at).padStart(2, '0')}`),
    )
    const email = 'second@past.test'
    dataOf(await owner.post('/tenant/users', { email, nickname: 'Second', password, roles: ['tenant_admin'] }), 201)
    const who: Credentials = { ...first, account: email }
    const { pathname, search } = new URL(page.url())
    const other = await watched(await acts.signedIn(who), `${pathname.replace('/console', '')}${search}`)
    await settled(other)
    assert.deepEqual(await namesOn(other), names)
  })

  async function watched(context: BrowserContext, route: string): Promise<Page> {
    const page = await acts.tab(context)
    const asked = new Set<Request>()
    underWay.set(page, asked)
    page.on('request', (request) => asked.add(request))
    for (const end of ['requestfinished', 'requestfailed'] as const)
      page.on(end as 'requestfinished', (request) => asked.delete(request))
    await page.goto(acts.at(route))
    return page
  }
  /** Each leads to another address: pages of the menu, records, their tabs, a dialogue, and what lists are asked for. */
  function stepsOn(page: Page): readonly (() => Promise<unknown>)[] {
    const main = page.locator('#content')
    const menu = (name: string) => () =>
      page.getByRole('navigation', { name: 'Main navigation' }).getByRole('link', { name, exact: true }).click()
    const link = (name: string) => () => main.getByRole('link', { name, exact: true }).first().click()
    const button = (name: string | RegExp) => () => main.getByRole('button', { name }).first().click()
    const choose = (name: string, option: string) => () =>
      main.getByRole('combobox', { name, exact: true }).selectOption(option)
    const sort = (name: string) => () =>
      main.getByRole('columnheader', { name }).getByRole('button', { name, exact: true }).click()
    const people = async () => {
      await menu('Users')()
      await main.getByRole('heading', { name: 'Users', level: 1 }).waitFor()
      await main.getByRole('searchbox', { name: 'Search', exact: true }).fill(past)
      await page.waitForURL((url) => url.searchParams.get('q') === past)
    }
    return [
      ...[menu('Roles'), choose('Kind', 'System role'), sort('Code'), sort('Code'), link('Guest'), link('Menus')],
      ...[link('Holders'), menu('Plugins'), choose('Order', 'Newest first'), menu('AI usage'), menu('Settings')],
      ...[link('Features'), menu('Organisation'), menu('Agents'), menu('Knowledge bases'), menu('Files')],
      ...[menu('API keys'), menu('Domains'), people, choose('Rows', '10'), button('Next page'), button('Next page')],
      ...[sort('Name'), sort('Name'), button('Next page'), choose('Status', 'Disabled'), link(`${past}-01`)],
      ...[link('Sessions'), link('History'), button(/^Details/)],
    ]
  }
  /** What somebody sees and hears of a page and of what lies over it, once all of it has come. */
  async function settled(page: Page): Promise<string> {
    let last = ''
    await until(async () => {
      const now = (underWay.get(page)?.size ?? 0) === 0 ? await stateOf(page) : ''
      const isThere = now !== '' && now === last && !now.includes('Loading')
      last = now
      return isThere && (await page.locator('[aria-busy="true"]:not(button)').count()) === 0
    })
    return last
  }
  async function shows(page: Page, expected: string): Promise<void> {
    await until(async () => (await stateOf(page)) === expected, 30_000).catch(() => undefined)
    assert.equal(await stateOf(page), expected)
  }
  /** How long ago things were goes on. */
  async function stateOf(page: Page): Promise<string> {
    const content = await page.locator('#content').ariaSnapshot()
    const over = await page.getByRole('dialog').all()
    const dialogs = await Promise.all(over.map((dialog) => dialog.ariaSnapshot()))
    const { pathname, search } = new URL(page.url())
    return [`${pathname}${search}`, content, ...dialogs]
      .join('\n')
      .replaceAll(/\b(now|(in )?\d+ (second|minute)s?( ago)?)\b/g, 'a while ago')
      .replaceAll(' [active]', '')
  }
  async function namesOn(page: Page): Promise<readonly string[]> {
    return page
      .locator('#content table')
      .getByRole('link', { name: new RegExp(`^${past}`) })
      .allInnerTexts()
  }
})
