import assert from 'node:assert/strict'
import { textOf } from '../support/attachments.ts'
import { packFixture } from '../support/packages.ts'
import { dataOf } from '../support/platform.ts'
import { installAndEnable } from '../support/small-plugin.ts'
import { until } from '../support/until.ts'
import { axeFaults } from './support/axe.ts'
import { useActs } from './support/stage.ts'

const messages = 'acme.ai-messages'

describe('providers and versions of AI models', function () {
  const acts = useActs()
  let vendor = ''

  before(async () => {
    // A vendor that has two models for whoever has the key, in the header of either wire.
    const address = acts.stage.lanes.open('vendor', ({ headers }, response) => {
      const isRight = [headers.authorization, headers['x-api-key']].some((given) =>
        given?.toString().includes('sk-right'),
      )
      const models = [
        { id: 'one', display_name: 'One' },
        { id: 'two', display_name: 'Two' },
      ]
      response.writeHead(isRight ? 200 : 401, { 'content-type': 'application/json' })
      response.end(JSON.stringify(isRight ? { data: models } : { error: { message: 'no such key' } }))
    })
    vendor = address.replace(/mcp$/, 'v1')
    const by = await acts.stage.staff()
    await installAndEnable(by, await packFixture('ai-messages'))
  })
  after(async () => {
    const by = await acts.stage.staff()
    await by.delete(`/admin/plugins/${messages}?purge=true`)
  })

  it('a provider is tested before it is saved, and nothing is kept of one that is not', async () => {
    const by = await acts.stage.staff()
    const page = await acts.tab(await acts.signedIn(), '/admin/ai/providers')
    const total = async () => Number(dataOf(await by.get('/admin/ai/providers'))['total'])
    const before = await total()
    await page.getByRole('button', { name: 'Add a provider' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add a provider' })
    await dialog.getByLabel('Name').fill('Vendor')
    await dialog.getByLabel('Code').fill('vendor')
    await dialog.getByRole('button', { name: 'Test' }).click()
    // The platform speaks to nobody whose address it does not know.
    await dialog.locator('[aria-invalid="true"]').and(dialog.getByLabel('Address')).waitFor()
    await dialog.getByLabel('Address').fill(vendor)
    await dialog.getByLabel('Key', { exact: true }).fill('sk-wrong')
    await dialog.getByRole('button', { name: 'Test' }).click()
    await dialog.getByText('It does not work like this.').waitFor()
    assert.equal(await total(), before)
    await dialog.getByLabel('Key', { exact: true }).fill('sk-right')
    await dialog.getByRole('button', { name: 'Test' }).click()
    await dialog.getByText('It works, and names 2 models.').waitFor()
    assert.deepEqual(await axeFaults(page), [])
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('row').filter({ hasText: 'Vendor' }).first().waitFor()
    assert.equal(await total(), before + 1)

    // One that is there is tried with what is typed, before that is saved.
    await page.getByRole('button', { name: 'Edit Vendor' }).click()
    const edit = page.getByRole('dialog', { name: 'Edit Vendor' })
    await edit.getByLabel('Key', { exact: true }).fill('sk-wrong')
    await edit.getByRole('button', { name: 'Test' }).click()
    await edit.getByText('It does not work like this.').waitFor()
    await edit.getByRole('button', { name: 'Cancel' }).click()
    const { items } = dataOf(await by.get('/admin/ai/providers?q=vendor')) as unknown as { items: { id: string }[] }
    const tested = dataOf(await by.post(`/admin/ai/providers/${items[0]?.id}/test`, {}))
    assert.equal(tested['ok'], true)
    dataOf(await by.delete(`/admin/ai/providers/${items[0]?.id}`))
  })

  it('providers that plugins bring are offered with fields of their own', async () => {
    const by = await acts.stage.staff()
    const page = await acts.tab(await acts.signedIn(), '/admin/ai/providers')
    await page.getByRole('button', { name: 'Add a provider' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add a provider' })
    await dialog.getByLabel('Name').fill('Through a plugin')
    await dialog.getByLabel('Code').fill('through-plugin')
    await dialog.getByLabel('Kind').selectOption(`Messages API, of the plugin ${messages}`)
    await dialog.getByLabel('Address').fill(vendor)
    // What the plugin takes where nothing is set.
    await until(async () => (await dialog.getByLabel('Version of the API').inputValue()) === '2023-06-01')
    await dialog.getByLabel('Version of the API').fill('2024-01-01')
    await dialog.getByRole('button', { name: 'Test' }).click()
    await dialog.getByText('It does not work like this.').waitFor()
    await dialog.getByLabel('API key').fill('sk-right')
    await dialog.getByRole('button', { name: 'Test' }).click()
    await dialog.getByText('It works, and names 2 models.').waitFor()
    assert.deepEqual(await axeFaults(page), [])
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('row').filter({ hasText: 'Through a plugin' }).getByText(messages).waitFor()
    const { items } = dataOf(await by.get('/admin/ai/providers?q=through')) as unknown as {
      items: { id: string; plugin: object; settings: object; credentials: { api_key: { set: boolean } } }[]
    }
    const [made] = items
    assert.deepEqual(
      [made?.plugin, made?.settings, made?.credentials.api_key.set],
      [{ name: messages, provider: 'messages' }, { api_version: '2024-01-01' }, true],
    )
    await page.getByRole('button', { name: 'Edit Through a plugin' }).click()
    const edit = page.getByRole('dialog', { name: 'Edit Through a plugin' })
    await until(async () => (await edit.getByLabel('Version of the API').inputValue()) === '2024-01-01')
    await edit.getByLabel('Version of the API').fill('2025-01-01')
    const asked = page.waitForRequest((request) => request.url().endsWith(`/admin/ai/providers/${made?.id}/test`))
    await edit.getByRole('button', { name: 'Test' }).click()
    const { draft } = (await asked).postDataJSON() as { draft: { settings: object } }
    assert.deepEqual(draft.settings, { api_version: '2025-01-01' })
    await edit.getByText('It works, and names 2 models.').waitFor()
    await edit.getByRole('button', { name: 'Save' }).click()
    await edit.waitFor({ state: 'detached' })
    const after = dataOf(await by.get(`/admin/ai/providers/${made?.id}`))
    assert.deepEqual(
      [after['settings'], after['credentials']?.['api_key']?.['set']],
      [{ api_version: '2025-01-01' }, true],
    )

    // What is taken away is the plugin's again, and shown without being set.
    const settings = async () => dataOf(await by.get(`/admin/ai/providers/${made?.id}`))['settings'] as unknown
    for (const [shown, next] of [
      ['2025-01-01', ''],
      ['2023-06-01', '2023-06-01'],
    ] as const) {
      // Until the list was read anew its row is as it was before, and so is the form that comes of it.
      await until(async () => {
        await page.getByRole('button', { name: 'Edit Through a plugin' }).click()
        if ((await edit.getByLabel('Version of the API').inputValue()) === shown) return true
        await edit.getByRole('button', { name: 'Cancel' }).click()
        await edit.waitFor({ state: 'detached' })
        return false
      })
      await edit.getByLabel('Version of the API').fill(next)
      await edit.getByRole('button', { name: 'Save' }).click()
      await edit.waitFor({ state: 'detached' })
      assert.deepEqual(await settings(), {})
    }
    dataOf(await by.delete(`/admin/ai/providers/${made?.id}`))
  })

  it('two versions of a model stand beside each other, and a canary beside the version that is used', async () => {
    const by = await acts.stage.staff()
    const { items } = dataOf(await by.get('/admin/ai/providers?type=demo')) as unknown as { items: { id: string }[] }
    const first = { name: 'versioned', kind: 'chat', provider_id: items[0]?.id, upstream_model: 'demo' }
    const model = dataOf(await by.post('/admin/ai/models', { ...first, price: { input: '1', output: '2' } }), 201)
    const path = `/admin/ai/models/${textOf(model['id'])}`
    dataOf(await by.post(`${path}/versions`, { price: { input: '3' }, context_window: 9_000, note: 'dearer' }), 201)
    const inAnHour = new Date(Date.now() + 3_600_000).toISOString()
    const canary = { percent: 50, until: inAnHour, abort_if_error_rate: 0.2 }
    dataOf(await by.post(`${path}/versions`, { note: 'tried', canary }), 201)
    const owner = await acts.stage.owner()
    const { key } = dataOf(await owner.post('/admin/ai/api-keys', { name: 'Canary' }), 201)
    const body = { model: 'versioned', messages: [{ role: 'user', content: 'hello' }] }
    for (let call = 0; call < 8; call++) {
      const answer = await fetch(`${acts.stage.host.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${textOf(key)}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      assert.equal(answer.status, 200, await answer.text())
    }
    const compared = async () => {
      const { comparison } = dataOf(await by.get(`${path}/versions`)) as unknown as {
        comparison: Record<'canary' | 'stable', { version: number; attempts: number; failures: number }>
      }
      return comparison
    }
    await until(async () => {
      const { canary: tried, stable } = await compared()
      return tried.attempts + stable.attempts === 8
    })
    const page = await acts.tab(await acts.signedIn(), path)
    const table = page.getByRole('table', { name: 'How the canary goes' })
    const told = await compared()
    for (const { version, attempts } of [told.canary, told.stable]) {
      const row = table.getByRole('row').filter({ hasText: new RegExp(`^\\s*${version}\\b`) })
      await row
        .getByRole('cell', { name: String(attempts), exact: true })
        .first()
        .waitFor()
      await row.getByText(attempts === 0 ? '–' : '0%', { exact: true }).waitFor()
    }
    await page.getByText('ended where more than 20% fail').waitFor()
    assert.deepEqual(await axeFaults(page), [])

    await page.getByRole('button', { name: 'Compare version 2 with another' }).click()
    const dialog = page.getByRole('dialog', { name: 'Two versions' })
    assert.deepEqual(
      [await dialog.getByLabel('Version').inputValue(), await dialog.getByLabel('Beside').inputValue()],
      ['1', '2'],
    )
    const changed = async () => await dialog.locator('dt').allTextContents()
    assert.deepEqual(await changed(), ['context_window', 'note', 'price.input'])
    await dialog.locator('ins').filter({ hasText: '9000' }).waitFor()
    assert.deepEqual(await axeFaults(page), [])
    await dialog.getByLabel('Version').selectOption('3')
    await until(async () => (await changed()).join() === 'note')
    await page.keyboard.press('Escape')
    dataOf(await by.delete(`${path}?force=true`))
  })
})
