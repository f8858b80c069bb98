import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { dataOf } from '../support/platform.ts'
import { packSmall } from '../support/small-plugin.ts'
import { axeFaults } from './support/axe.ts'
import { demoOwner, useActs } from './support/stage.ts'

const name = 'acme.counter'

describe('the life of a plugin in the console', function () {
  this.timeout(180_000)
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

    await page.getByRole('button', { name: 'Roll back' }).click()
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
