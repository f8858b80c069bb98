import assert from 'node:assert/strict'
import type { Route } from 'playwright-core'
import type { Api } from '../support/api.ts'
import { dataOf } from '../support/platform.ts'
import { axeFaults } from './support/axe.ts'
import { admin, demoOwner, useActs } from './support/stage.ts'

interface Role {
  readonly id: number
  readonly code: string
  readonly permissions: readonly string[]
  readonly data_scope: string
}
interface Node {
  readonly id: number
  readonly parent_id: number | null
  readonly name: string
}

describe('roles, organisation and audit', () => {
  const acts = useActs()

  const owner = () => acts.stage.owner()
  async function itemsOf<T>(by: Api, path: string): Promise<readonly T[]> {
    return dataOf(await by.get(path))['items'] as unknown as readonly T[]
  }

  it('30, 48: a role gives exactly what is ticked, and the audit log tells who gave it', async () => {
    const by = await owner()
    const page = await acts.tab(await acts.signedIn(demoOwner(acts.stage)), '/tenant/roles')
    await page.getByRole('button', { name: 'New role' }).click()
    await page.getByLabel('Name').fill('Greeter')
    await page.getByLabel('Code').fill('greeter')
    await page.getByRole('button', { name: 'Create the role' }).click()
    await page.getByRole('heading', { name: 'Greeter', level: 1 }).waitFor()
    const find = page.getByRole('searchbox', { name: 'Find a permission' })
    await find.fill('tenant_user:list')
    await page.getByRole('checkbox', { name: /^List/ }).check()
    await find.fill('tenant_domain')
    await page.getByRole('checkbox', { name: 'Everything, and what comes later' }).check()
    await page.getByLabel('Sees', { exact: true }).selectOption('ORG_ONLY')
    await page.getByText('2 added, 0 taken').waitFor()
    // The owner has no node, and somebody of none sees nobody else.
    await page.getByText('Nobody holds it yet').waitFor()
    await page.getByText(/^One of its holders sees 1 of the \d+ people whom you see\.$/).waitFor()
    await page.getByLabel('Sees', { exact: true }).selectOption('ALL')
    await page.getByText(/^One of its holders sees (\d+) of the \1 people whom you see\.$/).waitFor()
    await page.getByLabel('Sees', { exact: true }).selectOption('ORG_ONLY')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('The role Greeter is saved').waitFor()
    const role = (await itemsOf<Role>(by, '/tenant/roles?code=greeter'))[0] ?? assert.fail('no such role')
    assert.deepEqual(
      [role.permissions.toSorted(), role.data_scope],
      [['tenant_domain:*', 'tenant_user:list'], 'ORG_ONLY'],
    )
    await page.getByRole('link', { name: 'Menus' }).click()
    const opened = page.getByRole('region', { name: 'Menus' })
    await opened.getByText('Users').last().waitFor()
    assert.equal(await opened.getByText('Roles', { exact: true }).count(), 0)
    await page.getByRole('link', { name: 'History' }).click()
    await page.getByRole('button', { name: 'Details: Changed a role' }).click()
    const entry = page.getByRole('dialog')
    await entry.getByText('tenant_domain:*, tenant_user:list').first().waitFor()
    await entry.getByText('ORG_ONLY').first().waitFor()
  })

  it('30: what is ticked while a role is being saved stays ticked, and is saved next', async () => {
    const by = await owner()
    const wish = { code: 'hasty', name: 'Hasty', permissions: [], data_scope: 'ALL' }
    const place = `/tenant/roles/${Number(dataOf(await by.post('/tenant/roles', wish), 201)['id'])}`
    const page = await acts.tab(await acts.signedIn(demoOwner(acts.stage)), place)
    const find = page.getByRole('searchbox', { name: 'Find a permission' })
    const tick = async (permission: string, name: RegExp) => {
      await find.fill(permission)
      await page.getByRole('checkbox', { name }).check()
    }
    await tick('tenant_user:list', /^List/)
    const sent = Promise.withResolvers<Route>()
    const isSaving = (url: URL) => url.pathname === place
    await page.route(isSaving, (route) => (route.request().method() === 'PUT' ? sent.resolve(route) : route.continue()))
    await page.getByRole('button', { name: 'Save' }).click()
    const route = await sent.promise
    await tick('tenant_domain', /^Everything, and what comes later/)
    await page.getByText('2 added, 0 taken').waitFor()
    await route.continue()
    await page.getByText('1 added, 0 taken').waitFor()
    await page.unroute(isSaving)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('0 added, 0 taken').waitFor()
    const [role] = await itemsOf<Role>(by, '/tenant/roles?code=hasty')
    assert.deepEqual(role?.permissions.toSorted(), ['tenant_domain:*', 'tenant_user:list'])
  })

  it('30: nodes of the organisation are moved by the keyboard, and a cycle is refused in words', async () => {
    const by = await owner()
    const add = async (name: string, parent: number | null) =>
      Number(dataOf(await by.post('/tenant/orgs', { name, parent_id: parent }), 201)['id'])
    const sales = await add('Sales', null)
    await add('North', sales)
    await add('Support', null)
    const page = await acts.tab(await acts.signedIn(demoOwner(acts.stage)), '/tenant/orgs')
    const node = (name: string) => page.getByRole('treeitem', { name, exact: true })
    await node('Support').focus()
    await page.keyboard.press('Control+x')
    await page.getByText('Support is being moved').waitFor()
    await node('Sales').focus()
    await page.keyboard.press('Control+v')
    await page.getByText('Support was moved').waitFor()
    const moved = (await itemsOf<Node>(by, '/tenant/orgs?q=Support')).flatMap(function flat(each): readonly Node[] {
      return [each, ...((each as Node & { children?: readonly Node[] }).children ?? []).flatMap(flat)]
    })
    assert.equal(moved.find(({ name }) => name === 'Support')?.parent_id, sales)
    await node('Sales').focus()
    await page.keyboard.press('Control+x')
    await node('North').focus()
    await page.keyboard.press('Control+v')
    await page.getByRole('alert').waitFor()
    assert.match((await page.getByRole('alert').textContent()) ?? '', /below|itself/i)
  })

  it('48: the log of the platform names who did what and never a secret', async () => {
    const page = await acts.tab(await acts.signedIn(), '/admin/audit-logs?action=config.&target=config:platform_domain')
    const line = page.getByRole('row').filter({ hasText: 'config:platform_domain' }).first()
    await line.waitFor()
    assert.match((await line.textContent()) ?? '', /admin/)
    await line.getByRole('button', { name: /^Details/ }).click()
    await page.getByRole('dialog').getByText('What changed').waitFor()
  })

  it('48: the log is narrowed to who did it, what, and until when', async () => {
    const page = await acts.tab(await acts.signedIn(), '/admin/audit-logs')
    await page.getByRole('row').nth(1).waitFor()
    await page.locator('datalist option[value^="config."]').first().waitFor({ state: 'attached' })
    await page.getByRole('button', { name: 'Who: Anybody' }).click()
    const dialog = page.getByRole('dialog', { name: 'Who' })
    await dialog.getByRole('searchbox', { name: 'Search' }).fill(admin.email)
    await dialog.getByRole('radio', { name: new RegExp(admin.email) }).check()
    assert.deepEqual(await axeFaults(page), [])
    await dialog.getByRole('button', { name: 'Choose' }).click()
    await page.waitForURL((url) => url.searchParams.has('actor_id'))
    await page.getByRole('button', { name: 'Who: anybody again' }).waitFor()
    await page.getByRole('row').nth(1).waitFor()
    const asked = page.waitForResponse(/audit-logs\?.*to=200/)
    await page.getByLabel('Until').fill('2000-12-31')
    await page.getByLabel('Until').blur()
    const answer = (await (await asked).json()) as { data: { items: unknown[] } }
    assert.deepEqual(answer.data.items, [])
    await page.getByText('Nothing fits').waitFor()
    assert.deepEqual(await axeFaults(page), [])
  })
})
