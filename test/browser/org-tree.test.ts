import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import type { Api } from '../support/api.ts'
import { dataOf } from '../support/platform.ts'
import { until } from '../support/until.ts'
import { axeFaults } from './support/axe.ts'
import { useActs, type Credentials } from './support/stage.ts'

const owner: Credentials = {
  account: 'owner@crowd.test',
  password: 'a long enough passphrase',
  tenant_code: 'crowd',
}
/** More than come at once, beside each other at the top and below the first of them; in all more than come as one tree. */
const [atTop, below] = [250, 260]

describe('a large organisation', () => {
  const acts = useActs()
  let id = 0
  let page: Page

  before(async () => {
    const staff = await acts.stage.staff()
    const { account: email, password, tenant_code: code } = owner
    id = Number(
      dataOf(await staff.post('/admin/tenants', { code, name: 'Crowd', owner: { email, password } }), 201)['id'],
    )
    const { api } = acts.stage.host
    const by = api.as(dataOf(await api.post('/auth/login/json', owner))['access_token'])
    const first = await add(by, 'Top 1')
    for (let at = 2; at <= atTop; at += 1) await add(by, `Top ${at}`)
    for (let at = 1; at <= below; at += 1) await add(by, `Below ${at}`, first)
  })
  after(async () => {
    await (await acts.stage.staff()).delete(`/admin/tenants/${id}`)
  })

  it('55: nodes come a hundred at a time, by the keyboard, until the last of each level is there', async () => {
    page = await acts.tab(await acts.signedIn(owner), '/tenant/orgs')
    await node('Top 100').waitFor()
    assert.equal(await count(), 101)
    assert.deepEqual(await axeFaults(page), [])
    await node('Top 1').focus()
    await page.keyboard.press('ArrowRight')
    await node('Below 100').waitFor()
    await node('Below 100').focus()
    await page.keyboard.press('ArrowDown')
    await until(async () => (await focused()) === '160 more')
    await page.keyboard.press('Enter')
    await until(async () => (await focused()) === 'Below 101')
    await page.keyboard.press('ArrowUp')
    await until(async () => (await focused()) === 'Below 100')
    await node('60 more').click()
    await node('Below 260').waitFor()
    await until(async () => (await focused()) === 'Below 201')

    await page.keyboard.press('End')
    await until(async () => (await focused()) === '150 more')
    await page.keyboard.press(' ')
    await until(async () => (await focused()) === 'Top 101')
    await page.keyboard.press('End')
    await until(async () => (await focused()) === '50 more')
    await page.keyboard.press('Enter')
    await node('Top 250').waitFor()
    assert.equal(await count(), atTop + below)
    assert.equal(await node(/more$/).count(), 0)
  })

  it('55: what was loaded stays when the nodes are read anew, and what is sought is paged as well', async () => {
    page = await acts.tab(await acts.signedIn(owner), '/tenant/orgs')
    await node('150 more').click()
    await node('50 more').click()
    await node('Top 250').click()
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Top of all')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await node('Top of all').waitFor()
    assert.equal(await count(), atTop)

    await page.getByRole('searchbox', { name: 'Find a node' }).fill('Below')
    await page.keyboard.press('Enter')
    await node('160 more').click()
    await node('60 more').click()
    await node('Below 260').waitFor()
    assert.equal(await count(), below)
  })

  it('4.7: what a node takes along is told where it would land before it is let go, and where it went; Undo takes it back', async () => {
    page = await acts.tab(await acts.signedIn(owner), '/tenant/orgs')
    const [from, to] = [await middle('Top 2'), await middle('Top 3')]
    await page.mouse.move(...from)
    await page.mouse.down()
    await page.mouse.move(from[0], (from[1] + to[1]) / 2)
    await page.mouse.move(...to, { steps: 5 })
    await node(/^Top 3\s*1 node, nobody$/).waitFor()
    await page.mouse.up()
    await page.getByText('Top 2 was moved: 1 node, nobody').waitFor()
    await node('Top 2').and(page.locator('[aria-level="1"]')).waitFor({ state: 'detached' })
    await page.keyboard.press('Control+z')
    await page.getByText('Taken back').waitFor()
    await node('Top 2').and(page.locator('[aria-level="2"]')).waitFor({ state: 'detached' })
    await node('Top 2').and(page.locator('[aria-level="1"]')).waitFor()
    await node('Top 1').focus()
    await page.keyboard.press('Control+x')
    await page.getByText(`Top 1 is being moved, with all below it: ${below + 1} nodes, nobody.`).waitFor()
    assert.deepEqual(await axeFaults(page), [])
    await page.getByRole('button', { name: 'Cancel' }).click()
  })

  it('55: people are narrowed to a node that came later', async () => {
    page = await acts.tab(await acts.signedIn(owner), '/tenant/users')
    const tree = page.getByRole('tree', { name: 'Nodes of the organisation' })
    await tree.getByRole('treeitem', { name: '150 more' }).press('Enter')
    await tree.getByRole('treeitem', { name: 'Top 200' }).press('Enter')
    await page.getByText('Members of Top 200').waitFor()
    await page.waitForURL(/org_id=\d+$/)
  })

  async function add(by: Api, name: string, parent: number | null = null): Promise<number> {
    return Number(dataOf(await by.post('/tenant/orgs', { name, parent_id: parent }), 201)['id'])
  }
  async function middle(name: string): Promise<[number, number]> {
    const { x, y, width, height } = (await node(name).boundingBox()) ?? assert.fail(`${name} is not drawn`)
    return [x + width / 2, y + height / 2]
  }
  function node(name: string | RegExp) {
    return page.getByRole('treeitem', { name, ...(typeof name === 'string' && { exact: true }) })
  }
  function count(): Promise<number> {
    return page.getByRole('treeitem').count()
  }
  function focused(): Promise<string | null> {
    return page.evaluate<string | null>(
      `document.activeElement?.matches('[role=treeitem]') ? document.activeElement.textContent.trim() : null`,
    )
  }
})
