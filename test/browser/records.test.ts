import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import { dataOf } from '../support/platform.ts'
import { installAndEnable, packSmall } from '../support/small-plugin.ts'
import { until } from '../support/until.ts'
import { axeFaults } from './support/axe.ts'
import { demoOwner, useActs } from './support/stage.ts'

interface Line {
  readonly id: string
}

const plugin = 'acme.recorded'
const policy = '/admin/configs/groups/platform_tenant_policy'

describe('2.5: records that are shown in a dialogue', () => {
  const acts = useActs()

  it('a line of the audit log has an address: linked, loaded anew, and closed by Back; old lines and none as well', async () => {
    const staff = await acts.stage.staff()
    dataOf(await staff.put(policy, { tenant_config_approval: 'off' }))
    const page = await acts.tab(await acts.signedIn(), '/admin/audit-logs')
    const dialog = page.getByRole('dialog')
    await opensAndCloses(page, page.getByRole('button', { name: /^Details: / }).first(), dialog, 'entry')

    // One that the filter leaves out is read by itself.
    const { items } = dataOf(await staff.get('/admin/audit-logs?limit=1')) as unknown as { items: readonly Line[] }
    const id = items[0]?.id
    await page.goto(acts.at(`/admin/audit-logs?action=none&entry=${id}`))
    await dialog.getByRole('heading', { name: 'What changed' }).waitFor()
    await page.getByText('Nothing fits').waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    assert.equal(new URL(page.url()).search, '?action=none')

    await page.goto(acts.at('/admin/audit-logs?entry=999999999999'))
    const missing = page.getByRole('dialog', { name: 'It is not there' })
    await missing.waitFor()
    assert.deepEqual(await axeFaults(page), [])
    await missing.getByRole('button', { name: 'Close' }).click()
    await missing.waitFor({ state: 'detached' })
    await page
      .getByRole('button', { name: /^Details: / })
      .first()
      .waitFor()
  })

  it('an operation has one in its log, and in the tray of whatever page', async () => {
    const page = await acts.tab(await acts.signedIn(), '/admin/tenants?q=demo')
    await page.getByRole('link', { name: 'Demo' }).waitFor()
    await installAndEnable(await acts.stage.staff(), await packSmall(plugin))
    try {
      const dialog = page.getByRole('dialog', { name: plugin })
      const tray = page.getByRole('button', { name: /^Operations on plugins/ })
      await tray.click()
      const one = page.getByRole('region', { name: 'Operations on plugins' }).getByRole('button').first()
      await opensAndCloses(page, one, dialog, 'operation')
      assert.equal(new URL(page.url()).search, '?q=demo')

      await page.goto(acts.at('/admin/plugin-operations'))
      await opensAndCloses(page, page.getByRole('button', { name: /^Steps/ }).first(), dialog, 'entry')
      await page.goto(acts.at(`/admin/plugin-operations?kind=revoke_license&entry=${plugin}/none`))
      await page.getByRole('dialog', { name: 'It is not there' }).waitFor()
    } finally {
      dataOf(await (await acts.stage.staff()).delete(`/admin/plugins/${plugin}?purge=true`))
    }
  })

  it('an operation opens over a form with changes: nothing is asked, and they stay', async () => {
    const page = await acts.tab(await acts.signedIn(), '/admin/configs/platform_basic')
    const asked: string[] = []
    page.on('dialog', (question) => {
      asked.push(question.message())
      void question.accept()
    })
    const field = page.getByRole('textbox', { name: 'Site name' })
    await field.fill('Not saved yet')
    await installAndEnable(await acts.stage.staff(), await packSmall(plugin))
    try {
      await page.getByRole('button', { name: /^Operations on plugins/ }).click()
      const tray = page.getByRole('region', { name: 'Operations on plugins' })
      await tray.getByRole('button').first().click()
      const dialog = page.getByRole('dialog', { name: plugin })
      await dialog.waitFor()
      await dialog.getByRole('button', { name: 'Close' }).click()
      await dialog.waitFor({ state: 'detached' })
      assert.deepEqual([asked, await field.inputValue()], [[], 'Not saved yet'])
      // Elsewhere it is asked.
      await page.getByRole('navigation', { name: 'Navigation' }).getByRole('link', { name: 'Dashboard' }).click()
      await until(() => Promise.resolve(asked.length === 1))
    } finally {
      dataOf(await (await acts.stage.staff()).delete(`/admin/plugins/${plugin}?purge=true`))
    }
  })

  it('a change of settings that waits has one, on both sides', async () => {
    const staff = await acts.stage.staff()
    const owner = await acts.stage.owner()
    dataOf(await staff.put(policy, { tenant_config_approval: 'all' }))
    try {
      await owner.put('/tenant/configs/groups/tenant_basic', { footer_copyright: 'Recorded' })
      for (const [path, context] of [
        ['/admin/config-changes', await acts.signedIn()],
        ['/tenant/config-changes', await acts.signedIn(demoOwner(acts.stage))],
      ] as const) {
        const page = await acts.tab(context, path)
        const dialog = page.getByRole('dialog', { name: 'Change of tenant_basic' })
        await opensAndCloses(page, page.getByRole('button', { name: 'See the difference' }).first(), dialog, 'entry')
      }
    } finally {
      const pending = dataOf(await staff.get('/admin/configs/changes?state=pending'))[
        'items'
      ] as unknown as readonly Line[]
      for (const { id } of pending) dataOf(await staff.post(`/admin/configs/changes/${id}/reject`, { reason: 'Over' }))
      dataOf(await staff.put(policy, { tenant_config_approval: 'off' }))
    }
  })

  it('an endpoint of the description has one', async () => {
    const page = await acts.tab(await acts.signedIn(), '/admin/api?q=audit-logs/actions')
    const dialog = page.getByRole('dialog', { name: 'GET /admin/audit-logs/actions' })
    await opensAndCloses(page, page.getByRole('button', { name: '/admin/audit-logs/actions' }), dialog, 'entry')
  })

  it('a request to a model has one', async () => {
    const staff = await acts.stage.staff()
    const made = dataOf(await staff.post('/admin/ai/api-keys', { name: 'recorded', scopes: ['chat'] }), 201)
    const { key } = made as unknown as { key: string }
    const answer = await fetch(`${acts.stage.host.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'demo', messages: [{ role: 'user', content: 'Good morning' }] }),
    })
    assert.equal(answer.status, 200, await answer.text())
    const newest = async () =>
      dataOf(await staff.get('/admin/ai/health/logs?limit=1')) as unknown as { items: readonly Line[] }
    await until(async () => (await newest()).items.length > 0)
    const page = await acts.tab(await acts.signedIn(), '/admin/ai/requests')
    const dialog = page.getByRole('dialog', { name: /^Attempts of / })
    await opensAndCloses(page, page.getByRole('button', { name: /^Attempts of / }).first(), dialog, 'entry')
    await page.goto(acts.at(`/admin/ai/requests?outcome=none&entry=${(await newest()).items[0]?.id}`))
    await dialog.waitFor()
  })

  it('what changed with a version of an agent has one, and the versions of a model beside each other', async () => {
    const owner = await acts.stage.owner()
    const agents = '/admin/ai/agents'
    const draft = { code: 'recorded', name: 'Recorded', instructions: 'Answer in one word.', model: 'demo' }
    const { id } = dataOf(await owner.post(agents, draft), 201) as unknown as Line
    dataOf(await owner.post(`${agents}/${id}/publish`, {}))
    dataOf(await owner.put(`${agents}/${id}`, { instructions: 'Answer in two words.' }))
    dataOf(await owner.post(`${agents}/${id}/publish`, {}))
    try {
      const page = await acts.tab(await acts.signedIn(demoOwner(acts.stage)), `/tenant/agents/${id}?tab=versions`)
      const dialog = page.getByRole('dialog', { name: 'What changed in version 2' })
      const opener = page.getByRole('button', { name: 'What changed in version 2' })
      await opensAndCloses(page, opener, dialog, 'entry')
      await opener.click()
      await dialog.getByText('Answer in one word.').waitFor()
      await page.goto(acts.at(`/tenant/agents/${id}?tab=versions&entry=3`))
      await page.getByRole('dialog', { name: 'It is not there' }).waitFor()
    } finally {
      dataOf(await owner.delete(`${agents}/${id}`))
    }
    const staff = await acts.stage.staff()
    const providers = dataOf(await staff.get('/admin/ai/providers?type=demo')) as unknown as { items: readonly Line[] }
    const model = { name: 'recorded', kind: 'chat', provider_id: providers.items[0]?.id, upstream_model: 'demo' }
    const path = `/admin/ai/models/${(dataOf(await staff.post('/admin/ai/models', model), 201) as unknown as Line).id}`
    try {
      dataOf(await staff.post(`${path}/versions`, { context_window: 9_000 }), 201)
      const page = await acts.tab(await acts.signedIn(), path)
      const dialog = page.getByRole('dialog', { name: 'Two versions' })
      await opensAndCloses(page, page.getByRole('button', { name: 'Compare version 2 with another' }), dialog, 'entry')
    } finally {
      await staff.delete(path)
    }
  })
})

/** Opened it is in the address; Back closes it, Forward opens it, it is there when it is loaded anew, and its button takes it away. */
async function opensAndCloses(page: Page, opener: Locator, dialog: Locator, name: string): Promise<void> {
  const entryOf = () => new URL(page.url()).searchParams.get(name)
  await opener.click()
  await dialog.waitFor()
  const entry = entryOf()
  assert.ok(entry)
  assert.deepEqual(await axeFaults(page), [])
  await page.goBack()
  await dialog.waitFor({ state: 'detached' })
  assert.equal(entryOf(), null)
  await page.goForward()
  await dialog.waitFor()
  await page.reload()
  await dialog.waitFor()
  assert.equal(entryOf(), entry)
  const { pathname } = new URL(page.url())
  // Twice in the same moment: it goes back once.
  const close = dialog.getByRole('button', { name: 'Close' }).first()
  await close.evaluate((button: { click(): void }) => [button.click(), button.click()])
  await dialog.waitFor({ state: 'detached' })
  await until(() => entryOf() === null)
  assert.equal(new URL(page.url()).pathname, pathname)
}
