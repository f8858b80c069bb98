import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import type { Api } from '../support/api.ts'
import { packFixture } from '../support/packages.ts'
import { dataOf } from '../support/platform.ts'
import { installAndEnable, packSmall } from '../support/small-plugin.ts'
import { axeFaults } from './support/axe.ts'
import { useActs } from './support/stage.ts'
import { holdReleases, holdTable } from './support/table-lock.ts'

const name = 'acme.reports'
const place = `/admin/plugins/${name}`
const other = 'acme.other'

interface Step {
  readonly step: string
  readonly result: Readonly<Record<string, unknown>>
}

describe('long work on a plugin', () => {
  const acts = useActs()
  let staff: Api

  before(async () => {
    staff = await acts.stage.staff()
    const owner = await acts.stage.owner()
    await installAndEnable(staff, await packFixture('reports'))
    const { items } = dataOf(await staff.get('/admin/tenants?q=demo')) as unknown as { items: { id: number }[] }
    dataOf(await staff.post(`${place}/tenants`, { tenant_ids: [items[0]?.id] }))
    dataOf(await owner.post(`/tenant/plugins/${name}/enable`))
    dataOf(await owner.put(`/tenant/plugins/${name}/config`, { currency: 'CNY' }))
    const sales = [1, 2, 3].map((cents) => ({ product: 'Tea', cents, sold_on: '2026-01-02' }))
    dataOf(await owner.post(`/tenant/plugins/${name}/api/sales`, { sales }), 201)
  })
  after(async () => {
    await staff.delete(`${place}?purge=true`)
    await staff.delete(`/admin/plugins/${other}?purge=true`)
  })

  it('27: the steps of an upgrade are shown while they happen; closed, loaded anew and opened again they go on', async () => {
    const page = await acts.tab(await acts.signedIn(), place)
    {
      await using held = await holdTable(acts.stage, 'sales')
      assert.ok(held)
      const [chooser] = await Promise.all([
        page.waitForEvent('filechooser'),
        page.getByRole('button', { name: 'Upload another release' }).click(),
      ])
      const buffer = await packFixture('reports', (manifest) => ({ ...manifest, version: '1.1.0' }))
      await chooser.setFiles({ name: 'reports.zip', mimeType: 'application/zip', buffer })
      await isAtBackup(page)
      assert.deepEqual(await axeFaults(page), [])
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await page.reload()
      await isAtBackup(page)
    }
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Done', { exact: true }).waitFor()
    assert.equal(await dialog.getByText('– running').count(), 0)
    await page.keyboard.press('Escape')
    await page.getByText(`${name} 1.1.0`, { exact: true }).waitFor()
  })

  it('27: so are those of an install', async () => {
    const page = await acts.tab(await acts.signedIn(), '/admin/plugins')
    {
      // What is installed is written nowhere meanwhile.
      await using held = await holdReleases(acts.stage)
      assert.ok(held)
      const [chooser] = await Promise.all([
        page.waitForEvent('filechooser'),
        page.getByRole('button', { name: 'Upload a package' }).click(),
      ])
      const buffer = await packSmall(other)
      await chooser.setFiles({ name: 'other.zip', mimeType: 'application/zip', buffer })
      const steps = page.getByRole('region', { name: 'Install' })
      await steps.getByText('Record – running').waitFor()
      await steps.getByText('Try it – done').waitFor()
      await steps.getByText('All hosts follow – to come').waitFor()
      await steps
        .locator('li', { hasText: 'Record' })
        .getByText('from here on it will be finished, not undone')
        .waitFor()
      assert.deepEqual(await axeFaults(page), [])
      await page.reload()
      await openFromTray(page, `Install · ${other}`)
      await page.getByRole('dialog').getByText('Record – running').waitFor()
    }
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Done', { exact: true }).waitFor()
    assert.equal(await dialog.getByText('– to come').count(), 0)
    await page.keyboard.press('Escape')
    await page.getByText(other).first().waitFor()
  })

  it('27: and those of a rollback, in its dialogue and on the page once that is closed', async () => {
    const page = await acts.tab(await acts.signedIn(), place)
    await page.getByRole('button', { name: 'Roll back' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('combobox').selectOption('restore')
    await dialog.getByRole('button', { name: 'Roll back' }).click()
    await dialog.getByRole('checkbox', { name: 'Rows that came since may be lost' }).check()
    {
      // The rows that would be lost are counted first.
      await using held = await holdTable(acts.stage, 'sales')
      assert.ok(held)
      await dialog.getByRole('button', { name: 'Roll back' }).click()
      await dialog.getByText('Load – running').waitFor()
      assert.deepEqual(await axeFaults(page), [])
      await dialog.getByRole('button', { name: 'Close', exact: true }).last().click()
      await dialog.waitFor({ state: 'detached' })
      const steps = page.getByRole('region', { name: 'Roll back' })
      await steps.getByText('Load – running').waitFor()
      await page.reload()
      await steps.getByText('Load – running').waitFor()
      await openFromTray(page, `Roll back · ${name}`)
      await dialog.getByText('Load – running').waitFor()
    }
    await dialog.getByText('Done', { exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByText(`${name} 1.0.0`, { exact: true }).waitFor()
  })

  it('27: and those of an uninstall', async () => {
    const page = await acts.tab(await acts.signedIn(), `/admin/plugins/${other}`)
    await page.getByRole('button', { name: 'Uninstall' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel(`Type ${other}`).fill(other)
    {
      await using held = await holdReleases(acts.stage)
      assert.ok(held)
      await dialog.getByRole('button', { name: 'Uninstall' }).click()
      await dialog.getByText('Its packages and rights go – running').waitFor()
      await dialog.getByText('Its tables go – done').waitFor()
      assert.deepEqual(await axeFaults(page), [])
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
      await page.reload()
      await page.getByRole('region', { name: 'Uninstall' }).getByText('Its packages and rights go – running').waitFor()
      await openFromTray(page, `Uninstall · ${other}`)
      await dialog.getByText('Its packages and rights go – running').waitFor()
    }
    await dialog.getByText('Done', { exact: true }).waitFor()
    assert.equal((await staff.get(`/admin/plugins/${other}`)).status, 404)
  })

  it('27: one whose package is on the way is called off where its steps are shown', async () => {
    const { knex } = acts.stage.host.kernel.database
    const { id: pluginId } = dataOf(await staff.get(place))
    const id = crypto.randomUUID()
    const lock = { plugin: `package of ${name}`, operation_id: id, holder: 'elsewhere', fencing: 0 }
    // It comes to a host that is slow.
    await knex('plugin_locks').insert({ ...lock, expires_at: knex.raw(`now() + interval '1 hour'`) })
    const plan = JSON.stringify(['download', 'verify', 'store', 'switch', 'converge'])
    const row = { id, plugin: name, plugin_id: pluginId, kind: 'upgrade', step: 'download', plan, fencing: 0 }
    await knex('plugin_operations').insert({ ...row, place: lock.plugin, progress: '{"done":1000,"total":4000}' })
    // What is short ends meanwhile, and hides nothing.
    dataOf(await staff.post(`${place}/disable`))
    dataOf(await staff.post(`${place}/enable`))
    const page = await acts.tab(await acts.signedIn(), place)
    const steps = page.getByRole('region', { name: 'Upgrade', exact: true })
    await page.getByRole('region', { name: 'Operations' }).getByRole('listitem').first().getByText('Upgrade').waitFor()
    await steps.getByText('Download – running').waitFor()
    assert.deepEqual(await axeFaults(page), [])
    await openFromTray(page, `Upgrade · ${name}`)
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Cancel', exact: true }).click()
    await dialog.getByText('It was called off before anything was changed').waitFor()
    assert.equal(await dialog.getByRole('button', { name: 'Cancel', exact: true }).count(), 0)
    assert.deepEqual(await axeFaults(page), [])
    const { state } = dataOf(await staff.get(`${place}/operations/${id}`)) as unknown as { state: string }
    assert.equal(state, 'aborted')
  })

  it('28: what is said to go before an uninstall is what went', async () => {
    const page = await acts.tab(await acts.signedIn(), place)
    await page.getByRole('button', { name: 'Uninstall' }).click()
    const dialog = page.getByRole('dialog')
    const steps = dialog.getByRole('region', { name: 'What happens' }).locator('ol > li')
    await steps.first().waitFor()
    assert.deepEqual(await axeFaults(page), [])
    const said = await steps.allInnerTexts()
    await dialog.getByRole('checkbox', { name: 'Keep no backup' }).check()
    await dialog.getByLabel(`Type ${name}`).fill(name)
    await dialog.getByRole('button', { name: 'Uninstall' }).click()
    await page.getByRole('heading', { level: 1, name: 'Plugins' }).waitFor()

    const log = dataOf(await staff.get(`/admin/plugins/operations?kind=uninstall&limit=1`))
    const [{ steps: done }] = log['items'] as unknown as [{ readonly steps: readonly Step[] }]
    const { result: tables } = done.find(({ step }) => step === 'tables') ?? assert.fail('no tables went')
    assert.equal(said.length, done.length)
    for (const table of tables['tables'] as readonly string[]) assert.ok(said.join().includes(table), table)
    const went = (name: string, thing: string) => Number(done.find(({ step }) => step === name)?.result[thing])
    const gone = {
      'Its schedules go': [`schedules: ${went('schedules', 'schedules')}`],
      'Its pages, menu entries and preferences go': ['pages: reports, yesterday', 'menu entries: reports'],
      'Tenants lose it, and its settings go': [`tenants: ${went('tenants_and_settings', 'assignments')}`],
      'Its packages and rights go': [
        `packages: ${went('release', 'releases')}`,
        `rights: ${went('release', 'grants')}`,
      ],
    }
    for (const [step, lines] of Object.entries(gone)) {
      const [, ...told] = said.find((each) => each.startsWith(step))?.split('\n') ?? []
      assert.deepEqual(told.slice(0, lines.length), lines, step)
    }
    assert.match(said.find((each) => each.startsWith('Its tables go')) ?? '', /_sales · rows: 3 /)
    assert.deepEqual([went('front_end', 'slots'), went('front_end', 'menu')], [2, 1])
    assert.equal(went('storage', 'objects'), 0)
  })

  async function openFromTray(page: Page, operation: string): Promise<void> {
    await page.getByRole('button', { name: /1 operation on plugins/i }).click()
    const tray = page.getByRole('region', { name: 'Operations on plugins' })
    await tray.getByRole('button', { name: operation }).first().click()
  }
  /** Opened from the tray: the work is where the held table stops it. */
  async function isAtBackup(page: Page): Promise<void> {
    await openFromTray(page, `Upgrade · ${name}`)
    await page.getByRole('dialog').getByText('– running').waitFor()
    await page.getByRole('dialog').getByText('Back up – running').waitFor()
  }
})
