import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import type { Api } from '../support/api.ts'
import { dataOf } from '../support/platform.ts'
import { packSmall } from '../support/small-plugin.ts'
import { until } from '../support/until.ts'
import { pressByKey, tabTo } from './support/by-keyboard.ts'
import { demoOwner, useActs } from './support/stage.ts'

const name = 'acme.keyed'

describe('without a mouse', () => {
  const acts = useActs()
  let staff: Api
  let owner: Api

  before(async () => {
    staff = await acts.stage.staff()
    owner = await acts.stage.owner()
  })
  after(async () => {
    await staff.delete(`/admin/plugins/${name}?purge=true`)
  })

  it('50: settings (24) are found, changed, switched, saved and put back', async () => {
    const page = await tab('/tenant/settings/tenant_basic')
    await tabTo(page, page.getByRole('textbox', { name: 'Copyright line' }))
    await page.keyboard.type('By hand')
    await page.keyboard.press('Control+s')
    await page.getByText('0 changes').waitFor()
    await until(async () => (await footer()) === 'By hand')
    await page.reload()
    await pressByKey(page, page.getByRole('button', { name: 'Reset Copyright line' }))
    await until(async () => (await footer()) === '')
    const features = page
      .getByRole('navigation', { name: 'Groups of settings' })
      .getByRole('link', { name: 'Features' })
    await pressByKey(page, features)
    // The group before has switches as well.
    await page.getByRole('heading', { name: 'Features', level: 2 }).waitFor()
    const box = page.getByRole('switch').first()
    const was = await box.isChecked()
    await pressByKey(page, box, 'Space')
    await pressByKey(page, page.getByRole('button', { name: 'Discard' }))
    await until(async () => (await box.isChecked()) === was)
  })

  it('50: a package (26) is sent, read and allowed; the focus comes back from its dialogue', async () => {
    const page = await acts.tab(await acts.signedIn(), '/admin/plugins')
    const button = page.getByRole('button', { name: 'Upload a package' })
    const chooser = page.waitForEvent('filechooser')
    await pressByKey(page, button)
    const events = { publish: [`${name}.done`], subscribe: [] }
    const more = { title: { default: 'Keyed' }, capabilities: ['events'], reasons: { events: 'Tells.' }, events }
    const buffer = await packSmall(name, more)
    await (await chooser).setFiles({ name: 'a.zip', mimeType: 'application/zip', buffer })
    const dialog = page.getByRole('dialog', { name: 'What Keyed asks for' })
    await dialog.getByText('May tell and hear events of the platform').waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await page.goto(acts.at(`/admin/plugins/${name}`))
    const read = page.getByRole('button', { name: 'Read what it asks for' })
    await pressByKey(page, read)
    await dialog.getByText('May tell and hear events of the platform').waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await page.locator('button:focus', { hasText: 'Read what it asks for' }).waitFor()
    await page.keyboard.press('Enter')
    await pressByKey(page, dialog.getByText('Details').first())
    await pressByKey(page, dialog.getByRole('button', { name: 'Allow' }))
    await dialog.getByText('It is ready.').waitFor()
    await pressByKey(page, dialog.getByRole('button', { name: 'Done' }))
    await page.getByRole('button', { name: 'Disable' }).waitFor()
  })

  it('50: a role is made (30) of what is ticked, and the organisation is gone through by its own keys', async () => {
    const page = await tab('/tenant/roles')
    await pressByKey(page, page.getByRole('button', { name: 'New role' }))
    await tabTo(page, page.getByLabel('Name'))
    await page.keyboard.type('By keys')
    await tabTo(page, page.getByLabel('Code'))
    await page.keyboard.press('Control+a')
    await page.keyboard.type('by_keys')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'By keys', level: 1 }).waitFor()
    await tabTo(page, page.getByRole('searchbox', { name: 'Find a permission' }))
    await page.keyboard.type('tenant_user:list')
    await pressByKey(page, page.getByRole('checkbox', { name: /^List/ }), 'Space')
    await page.getByText('1 added, 0 taken').waitFor()
    await pressByKey(page, page.getByRole('button', { name: 'Save' }))
    await page.getByText('The role By keys is saved').waitFor()
    const { items } = dataOf(await owner.get('/tenant/roles?code=by_keys')) as unknown as {
      readonly items: readonly { readonly permissions: readonly string[] }[]
    }
    assert.deepEqual(items[0]?.permissions, ['tenant_user:list'])

    const first = dataOf(await owner.post('/tenant/orgs', { name: 'Aaa', parent_id: null }), 201)
    dataOf(await owner.post('/tenant/orgs', { name: 'Aab', parent_id: Number(first['id']) }), 201)
    await page.goto(acts.at('/tenant/orgs'))
    const node = (of: string) => page.getByRole('treeitem', { name: of })
    await node('Aaa').waitFor()
    await tabTo(page, page.locator('[role="treeitem"][tabindex="0"]'))
    await page.keyboard.press('Home')
    const focused = () => page.locator('[role="treeitem"]:focus').getAttribute('aria-label')
    for (let step = 0; step < 50 && !(await isFocused(page, 'Aaa')); step += 1) await page.keyboard.press('ArrowDown')
    assert.ok(await isFocused(page, 'Aaa'), String(await focused()))
    if ((await node('Aaa').getAttribute('aria-expanded')) !== 'true') await page.keyboard.press('ArrowRight')
    // Where there are many, what is below comes when it is opened.
    await node('Aab').waitFor()
    await page.keyboard.press('ArrowRight')
    await until(() => isFocused(page, 'Aab'))
    await page.keyboard.press('ArrowLeft')
    await until(() => isFocused(page, 'Aaa'))
  })

  async function tab(route: string): Promise<Page> {
    return acts.tab(await acts.signedIn(demoOwner(acts.stage)), route)
  }
  async function isFocused(page: Page, node: string): Promise<boolean> {
    return (
      (await page
        .locator('[role="treeitem"]:focus')
        .and(page.getByRole('treeitem', { name: node }))
        .count()) > 0
    )
  }
  async function footer(): Promise<unknown> {
    const { items } = dataOf(await owner.get('/tenant/configs/groups/tenant_basic')) as unknown as {
      readonly items: readonly { readonly key: string; readonly value: unknown }[]
    }
    return items.find(({ key }) => key === 'footer_copyright')?.value
  }
})
