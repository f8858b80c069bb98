import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { corePlugins } from '../../core-plugins/index.ts'
import { dataOf } from '../support/platform.ts'
import { until } from '../support/until.ts'
import { axeFaults } from './support/axe.ts'
import { demoOwner, useActs } from './support/stage.ts'
import { accountOf } from './support/steps.ts'

const password = 'a long enough passphrase'

interface Node {
  readonly nodeId: string
  readonly childIds?: readonly string[]
  readonly name?: { readonly value?: unknown }
  readonly properties?: readonly { readonly name: string; readonly value: { readonly value?: unknown } }[]
}

describe('what is around every page', () => {
  const acts = useActs()

  it('2.5: the tab names the record, its page and the site', async () => {
    const page = await acts.tab(await acts.signedIn(), '/admin/tenants')
    // How many notifications are unread stands before it, and is what other tests leave.
    const isCalled = (title: RegExp) => until(async () => title.test((await page.title()).replace(/^\(\d+\) /, '')))
    await page.getByRole('link', { name: 'Demo' }).click()
    await isCalled(/^Demo · Tenants · [^·]+$/)
    await page.goto(acts.at('/admin/configs/platform_basic'))
    await isCalled(/^[^·]+ · Settings · [^·]+$/)
    await page.goto(acts.at('/there/is/none'))
    await isCalled(/^There is no such page · [^·]+$/)
  })

  it('an address without a page names it and offers the palette', async () => {
    const page = await acts.tab(await acts.signedIn(), '/there/is/none')
    await page.getByText('Nothing stands at /there/is/none.').waitFor()
    assert.deepEqual(await axeFaults(page), [])
    await page.getByRole('main').getByRole('button', { name: 'Go to or find …' }).click()
    await page.getByRole('dialog').getByRole('combobox').waitFor()
  })

  it('a page that one may not see says who can give the right: by name to whoever may see people', async () => {
    const by = await acts.stage.owner()
    const give = async (code: string, permissions: readonly string[]) => {
      dataOf(await by.post('/tenant/roles', { code, name: code, permissions, data_scope: 'ALL' }), 201)
      const who = { account: `${code}@demo.test`, password, tenant_code: 'demo' }
      dataOf(await by.post('/tenant/users', { email: who.account, password, roles: [code] }), 201)
      return acts.tab(await acts.signedIn(who), '/tenant/roles')
    }
    const unseen = await give('knows_nobody', ['console_tenant:enter'])
    await unseen
      .getByText('It needs the permission tenant_role:list. An owner of your tenant can give it to you.')
      .waitFor()
    await until(async () => (await unseen.title()).startsWith('You may not see this page · Roles · '))
    const seeing = await give('knows_people', ['console_tenant:enter', 'tenant_user:list'])
    const { items } = dataOf(await by.get('/tenant/users?role=tenant_owner&status=active')) as unknown as {
      items: readonly { nickname: string; email: string }[]
    }
    const said = seeing.getByText(/^It needs the permission tenant_role:list\. .+ can give it to you\.$/)
    await until(async () => {
      const text = (await said.textContent()) ?? ''
      return items.some(({ nickname, email }) => text.includes(nickname || email))
    })
    assert.deepEqual(await axeFaults(seeing), [])
  })

  it('a page whose plugin is not enabled says that it is not part of this installation', async () => {
    const { kernel } = acts.stage.host
    const mcp = corePlugins.find(({ name }) => name === 'mcp') ?? assert.fail('there is no such plugin')
    const page = await acts.tab(await acts.signedIn(), '/admin/files')
    await accountOf(page)
    await kernel.disable(mcp.name)
    try {
      await page.goto(acts.at('/admin/ai/mcp-servers'))
      await page.getByText('This is not part of this installation.').waitFor()
      await page.getByText('The plugin that it belongs to is not there, or is not enabled.').waitFor()
    } finally {
      await kernel.enable(mcp)
    }
  })

  it('3.1: the header has help: keys, the description of the interface, and the version', async () => {
    const page = await acts.tab(await acts.signedIn(), '/admin/tenants')
    await page.getByRole('button', { name: 'Help', exact: true }).click()
    const help = page.getByRole('region', { name: 'Help' })
    await help.getByText(/^Version \d+\.\d+\.\d+$/).waitFor()
    assert.deepEqual(await axeFaults(page), [])
    await help.getByRole('button', { name: 'Keyboard' }).click()
    const keys = page.getByRole('dialog', { name: 'Keyboard' })
    await keys.waitFor()
    await page.keyboard.press('Escape')
    await keys.waitFor({ state: 'detached' })
    await until(async () => (await page.evaluate<string>('document.activeElement.ariaLabel')) === 'Help')
    await page.keyboard.press('Enter')
    await help.getByRole('link', { name: 'API reference' }).click()
    await page.getByRole('heading', { level: 1, name: 'API', exact: true }).waitFor()
  })

  it('3.1, 4.12: how dense pages are is chosen in the menu of the account, and kept', async () => {
    const page = await acts.tab(await acts.signedIn(demoOwner(acts.stage)), '/tenant/files')
    const density = () => page.evaluate<string>('document.documentElement.dataset.density')
    await (await accountOf(page)).click()
    const choice = page.getByRole('group', { name: 'Density' })
    try {
      await choice.getByRole('button', { name: 'Compact' }).click()
      await until(async () => (await density()) === 'compact')
      await choice.getByRole('button', { name: 'Compact', pressed: true }).waitFor()
      assert.deepEqual(await axeFaults(page), [])
      await page.reload()
      await accountOf(page)
      assert.equal(await density(), 'compact')
    } finally {
      dataOf(await (await acts.stage.owner()).delete('/preferences/density'))
    }
  })

  it('3.1: a long menu can be looked through', async () => {
    const page = await acts.tab(await acts.signedIn(), '/admin/tenants')
    const menu = page.getByRole('navigation', { name: 'Main navigation' })
    const find = menu.getByRole('textbox', { name: 'Find in the menu' })
    await find.fill('oPeraT')
    await until(async () => (await menu.getByRole('link').count()) === 1)
    await menu.getByRole('link', { name: 'Operations' }).waitFor()
    await find.fill('no such entry')
    await menu.getByText('Nothing fits').waitFor()
    assert.deepEqual(await axeFaults(page), [])
    await find.press('Escape')
    await menu.getByRole('link', { name: 'Tenants', exact: true }).waitFor()
  })

  it('5.2: in colours of the reader’s own choice it is seen where one is and what is on', async () => {
    const context = await acts.signedIn(undefined, { forcedColors: 'active' })
    const page = await acts.tab(context, '/admin/configs/platform_maintenance')
    const setting = page.getByRole('switch')
    await setting.waitFor()
    const lined = `[...document.querySelectorAll('main nav a')].filter((each) => getComputedStyle(each).outlineStyle === 'solid')`
    const here = await page.evaluate<string[]>(`${lined}.map((each) => each.getAttribute('aria-current'))`)
    assert.deepEqual(here, ['page'])
    const colour = () =>
      page.evaluate<string>(`getComputedStyle(document.querySelector('[role=switch]')).backgroundColor`)
    const off = await colour()
    await setting.check()
    await until(async () => (await colour()) !== off)
    await setting.uncheck()
  })

  it('5.2: what happens is read out by one polite and one assertive region, also over a dialogue', async () => {
    const page = await acts.tab(await acts.signedIn(demoOwner(acts.stage)), '/tenant/api-keys')
    await page.getByRole('heading', { level: 1 }).waitFor()
    assert.equal(await page.locator('[role=status], [role=alert], [aria-live]:not([aria-live=off])').count(), 0)
    const said = await listen(page)
    await page.context().setOffline(true)
    await until(async () => (await said('assertive')).includes('Offline. What you typed is safe.'))
    await page.context().setOffline(false)
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').getByRole('combobox').fill('>there is no such thing')
    await until(async () => (await said('polite')).includes('Nothing fits'))
  })

  /** What a screen reader is given to read out, by how soon. */
  async function listen(page: Page): Promise<(urgency: string) => Promise<readonly string[]>> {
    const tools = await page.context().newCDPSession(page)
    return async (urgency) => {
      const { nodes } = (await tools.send('Accessibility.getFullAXTree')) as { nodes: readonly Node[] }
      const byId = new Map(nodes.map((node) => [node.nodeId, node]))
      const textsOf = (node: Node | undefined): readonly string[] => {
        const own = typeof node?.name?.value === 'string' ? [node.name.value] : []
        return [...own, ...(node?.childIds ?? []).flatMap((id) => textsOf(byId.get(id)))]
      }
      return nodes
        .filter(({ properties = [] }) =>
          properties.some(({ name, value }) => name === 'live' && value.value === urgency),
        )
        .flatMap(textsOf)
    }
  }
})
