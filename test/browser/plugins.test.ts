import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { dataOf } from '../support/platform.ts'
import { installAndEnable, packSmall } from '../support/small-plugin.ts'
import { until } from '../support/until.ts'
import { axeFaults } from './support/axe.ts'
import { overflowOf } from './support/on-a-phone.ts'
import { demoOwner, useActs } from './support/stage.ts'

const name = 'acme.counter'

interface Looks {
  readonly version: string
  readonly icon: string | null
  readonly pinned: boolean
  readonly menu: readonly { readonly overrides: object }[]
  readonly releases: readonly { readonly version: string; readonly state: string }[]
}

/** A picture that is one. */
function picture(): Promise<Buffer> {
  return sharp({ create: { width: 64, height: 64, channels: 3, background: '#336699' } })
    .png()
    .toBuffer()
}

describe('the life of a plugin in the console', () => {
  const acts = useActs()

  it('8: from the package to the uninstall without a terminal: consent, tenants, use, upgrade, rollback', async () => {
    const page = await acts.tab(await acts.signedIn(), '/admin/plugins')
    await upload(page, 'Upload a package', '1.0.0')
    const consent = page.getByRole('dialog')
    await consent.getByRole('checkbox', { name: /Demo/ }).check()
    await consent.getByRole('button', { name: 'Allow' }).click()
    await consent.getByText('It is ready.').waitFor()
    await consent.getByRole('button', { name: 'Done' }).click()

    const tenant = await acts.tab(await acts.signedIn(demoOwner(acts.stage)), '/tenant/plugins')
    const card = tenant.getByRole('listitem').filter({ hasText: 'Counter' })
    await card.getByRole('button', { name: 'Enable' }).click()
    await card.getByRole('button', { name: 'Disable' }).waitFor()
    assert.equal(await answerOf(), '1.0.0')

    await page.getByRole('link', { name: 'Counter' }).click()
    await upload(page, 'Upload another release', '1.1.0', ['storage'])
    await consent.getByText('1.1.0').waitFor()
    assert.equal(await answerOf(), '1.0.0')
    await consent.getByRole('button', { name: 'Allow' }).click()
    await consent.getByText('It is ready.').waitFor()
    await consent.getByRole('button', { name: 'Done' }).click()
    await page.getByText(`${name} 1.1.0`).waitFor()
    assert.equal(await answerOf(), '1.1.0')
    // For a minute what is called is counted, with the way back beside it.
    const watched = page.getByRole('region', { name: 'After the upgrade' })
    await watched.getByText('1.1.0 since the upgrade: 1 call, 0 errors, 0 crashes.').waitFor()
    assert.deepEqual(await axeFaults(page), [])
    await watched.getByRole('button', { name: 'Back to 1.0.0' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Roll back' }).click()
    await page.getByText(`${name} 1.0.0`).waitFor()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    assert.equal(await answerOf(), '1.0.0')

    await page.getByRole('button', { name: /operations? on plugins/i }).click()
    const tray = page.getByRole('region', { name: 'Operations on plugins' })
    assert.deepEqual(await axeFaults(page), [])
    await tray.getByRole('button', { name: `Roll back · ${name}` }).click()
    await page.getByRole('dialog').getByText('Done', { exact: true }).waitFor()
    await page.keyboard.press('Escape')

    await page.getByRole('button', { name: 'Disable' }).click()
    await page.getByRole('button', { name: 'Enable' }).waitFor()
    await page.getByRole('button', { name: 'Uninstall' }).click()
    const removal = page.getByRole('dialog')
    await removal.getByRole('button', { name: 'Uninstall', disabled: true }).waitFor()
    await removal.getByLabel(`Type ${name}`).fill(name)
    await removal.getByRole('button', { name: 'Uninstall' }).click()
    await page.getByRole('heading', { level: 1, name: 'Plugins' }).waitFor()
    const gone = await (await acts.stage.staff()).get(`/admin/plugins/${name}`)
    assert.equal(gone.status, 404)
  })

  it('its rights, its looks and its releases are changed on pages of their own', async () => {
    const by = await acts.stage.staff()
    const path = '/admin/plugins/acme.looks'
    const looks = (version: string) =>
      packSmall(
        'acme.looks',
        {
          ...{ version, title: { default: 'Looks' }, capabilities: ['ui'], optionalCapabilities: ['notify'] },
          reasons: { ui: 'Shows.', notify: 'Tells.' },
          slots: [{ slot: 'page', id: 'book', entry: 'ui/book.html' }],
          menu: [{ id: 'book', title: { default: 'Album' }, slot: 'book', area: 'tenant' }],
        },
        '{ handlers: {} }',
        { 'ui/book.html': '<!doctype html><title>Album</title>' },
      )
    await installAndEnable(by, await looks('1.0.0'))
    const content = await looks('1.1.0')
    dataOf(await by.call('POST', `${path}/upgrade`, { file: { field: 'file', name: 'a.plugin.zip', content } }))
    const read = async () => dataOf(await by.get(path)) as unknown as Looks
    const effective = async () =>
      dataOf(await by.get(`${path}/capabilities`))['effective'] as unknown as readonly string[]
    const page = await acts.tab(await acts.signedIn(), path)
    const tab = async (title: string) => {
      await page.getByRole('navigation', { name: 'Parts of the plugin' }).getByRole('link', { name: title }).click()
      await page
        .getByRole('main')
        .getByText(title === 'Rights' ? 'Tells.' : title === 'Releases' ? '1.0.0' : 'Album')
        .first()
        .waitFor()
      assert.deepEqual(await axeFaults(page), [], title)
    }

    await tab('Rights')
    await page.getByRole('button', { name: 'Take back' }).click()
    await page.getByRole('button', { name: 'Give', exact: true }).waitFor()
    assert.ok(!(await effective()).includes('notify'))
    await page.getByRole('button', { name: 'Give', exact: true }).click()
    await page.getByRole('button', { name: 'Take back' }).waitFor()
    assert.ok((await effective()).includes('notify'))

    await tab('Menu & icon')
    await page.getByRole('button', { name: 'Edit Album' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Title', { exact: true }).fill('Ledger')
    await dialog.getByLabel('Title in Chinese').fill('账本')
    await dialog.getByLabel('Order').fill('7')
    await dialog.getByLabel('Hide it').check()
    assert.deepEqual(await axeFaults(page), [])
    await dialog.getByRole('button', { name: 'Save' }).click()
    const entry = page.getByRole('row').filter({ hasText: 'Ledger' })
    await entry.getByText('Hidden').waitFor()
    assert.deepEqual((await read()).menu[0]?.overrides, {
      ...{ title: { default: 'Ledger', 'zh-CN': '账本' }, hidden: true, order: 7 },
    })
    await page.getByRole('button', { name: 'Put all back' }).click()
    await page.getByRole('row').filter({ hasText: 'Album' }).getByText('Shown').waitFor()
    assert.deepEqual((await read()).menu[0]?.overrides, {})
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('button', { name: 'Choose another picture' }).click(),
    ])
    await chooser.setFiles({ name: 'own.png', mimeType: 'image/png', buffer: await picture() })
    await until(async () => (await read()).icon !== null)
    await page.getByRole('region', { name: 'Picture' }).locator('img').waitFor()
    await page.getByRole('button', { name: 'Take that of the package' }).click()
    await until(async () => (await read()).icon === null)

    await tab('Releases')
    await page.getByRole('row').filter({ hasText: '1.1.0' }).getByText('In use').waitFor()
    await page.getByRole('button', { name: 'Keep 1.1.0' }).click()
    await page.getByText('It stays at 1.1.0').waitFor()
    assert.equal((await read()).pinned, true)
    await page.getByRole('button', { name: 'Allow upgrades again' }).click()
    await page.getByRole('button', { name: 'Keep 1.1.0' }).waitFor()
    await page
      .getByRole('row')
      .filter({ hasText: 'The one before' })
      .getByRole('button', { name: 'Back to 1.0.0' })
      .click()
    await dialog.getByRole('button', { name: 'Roll back' }).click()
    await page.getByRole('row').filter({ hasText: '1.0.0' }).getByText('In use').waitFor()
    const { version, releases } = await read()
    assert.equal(version, '1.0.0')
    assert.deepEqual(releases.map(({ version: one, state }) => [one, state]).toSorted(), [
      ['1.0.0', 'active'],
      ['1.1.0', 'previous'],
    ])
    await page.setViewportSize({ width: 360, height: 740 })
    for (const part of ['rights', 'menu', 'releases']) {
      await page.goto(acts.at(`${path}/${part}`))
      await page.getByRole('heading', { level: 1, name: 'Looks' }).waitFor()
      await page.getByRole('navigation', { name: 'Parts of the plugin' }).waitFor()
      assert.equal(await overflowOf(page), '', part)
    }
  })

  async function upload(page: Page, button: string, version: string, more: readonly string[] = []) {
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('button', { name: button }).click(),
    ])
    const manifest = {
      ...{ version, capabilities: ['events', ...more], title: { default: 'Counter' } },
      reasons: {
        events: 'Tells how far it has counted.',
        ...(more.length > 0 && { storage: 'Keeps what it counted.' }),
      },
      events: { publish: [`${name}.counted`], subscribe: [] },
      ...(more.length > 0 && { storage: { quotaMb: 1, maxObjectMb: 1 } }),
      tenant_routes: [{ path: '/version', method: 'GET', handler: 'version', permission: 'read' }],
      permissions: [{ code: 'read', title: { default: 'Read' } }],
    }
    const buffer = await packSmall(name, manifest, `{ handlers: { version: () => ({ version: '${version}' }) } }`)
    await chooser.setFiles({ name: 'counter.zip', mimeType: 'application/zip', buffer })
  }
  /** What the plugin answers in the tenant: which release runs. */
  async function answerOf(): Promise<unknown> {
    const owner = await acts.stage.owner()
    return dataOf(await owner.get(`/tenant/plugins/${name}/api/version`))['version']
  }
})
