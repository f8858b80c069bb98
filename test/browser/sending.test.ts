import assert from 'node:assert/strict'
import { textOf } from '../support/attachments.ts'
import { dataOf } from '../support/platform.ts'
import { until } from '../support/until.ts'
import { axeFaults } from './support/axe.ts'
import { isFocused } from './support/by-keyboard.ts'
import { demoOwner, useActs } from './support/stage.ts'

describe('a form that is sent', () => {
  const acts = useActs()

  it('is not, while something required is empty, and says of each field that it is required', async () => {
    const page = await acts.tab(await acts.signedIn(undefined, { locale: 'zh-CN' }), '/admin/tenants')
    const asked: string[] = []
    page.on('request', (request) => request.method() === 'POST' && asked.push(new URL(request.url()).pathname))
    await page.getByRole('button', { name: '新建租户' }).click()
    const dialog = page.getByRole('dialog', { name: '新建租户' })
    await dialog.getByRole('button', { name: '创建' }).click()
    const summary = dialog.getByRole('alert')
    await until(() => isFocused(summary))
    assert.deepEqual(await summary.getByRole('listitem').allInnerTexts(), ['名称 必填', '代码 必填', '所有者邮箱 必填'])
    const name = dialog.getByRole('textbox', { name: '名称' })
    assert.equal(await name.getAttribute('aria-invalid'), 'true')
    assert.deepEqual(await axeFaults(page), [])
    await name.fill('  ')
    assert.equal(await name.getAttribute('aria-invalid'), null)
    // The code is made of the name, and required no more with it.
    const code = dialog.getByRole('textbox', { name: '代码' })
    assert.equal(await code.getAttribute('aria-invalid'), 'true')
    await name.fill('Whales')
    await until(async () => (await code.getAttribute('aria-invalid')) === null)
    await name.fill('  ')
    await dialog.getByRole('button', { name: '创建' }).click()
    await until(async () => (await name.getAttribute('aria-invalid')) === 'true')
    assert.deepEqual(
      asked.filter((path) => path === '/admin/tenants'),
      [],
    )
  })

  it('is the same intent once more where its answer was lost, and makes one thing', async () => {
    const page = await acts.tab(await acts.signedIn(), '/admin/tenants')
    const keys: (string | undefined)[] = []
    await page.route('**/admin/tenants', async (route) => {
      if (route.request().method() !== 'POST') return route.continue()
      keys.push(route.request().headers()['idempotency-key'])
      if (keys.length > 1) return route.continue()
      assert.equal((await route.fetch()).status(), 201)
      return route.abort()
    })
    await page.getByRole('button', { name: 'New tenant' }).click()
    const dialog = page.getByRole('dialog', { name: 'New tenant' })
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Lost and found')
    await dialog.getByRole('textbox', { name: 'E-mail of the owner' }).fill('found@lost.test')
    await dialog.getByRole('button', { name: 'Create' }).click()
    await dialog.getByRole('button', { name: 'Try again' }).click()
    await dialog.getByText('It is shown this once').waitFor()
    assert.equal(keys.length, 2)
    assert.ok(keys[0])
    assert.equal(keys[1], keys[0])
    const staff = await acts.stage.staff()
    assert.equal(dataOf(await staff.get('/admin/tenants?q=Lost and found'))['total'], 1)
  })

  it('shows both sides where somebody changed it meanwhile, and keeps what was typed', async () => {
    const by = await acts.stage.owner()
    const draft = { code: 'outdated', name: 'Outdated', model: 'demo', instructions: 'First' }
    const agent = `/admin/ai/agents/${textOf(dataOf(await by.post('/admin/ai/agents', draft), 201)['id'])}`
    const page = await acts.tab(await acts.signedIn(demoOwner(acts.stage)), `/tenant/agents/${agent.split('/').at(-1)}`)
    const instructions = page.getByRole('textbox', { name: 'Instructions' })
    await instructions.fill('Mine')
    dataOf(await by.put(agent, { instructions: 'Theirs', description: 'Told meanwhile' }))
    await page.getByRole('button', { name: 'Save' }).click()
    const both = page.getByRole('region', { name: 'Changed meanwhile' })
    await both.getByText('Theirs').waitFor()
    await both.getByText('Mine').waitFor()
    assert.equal(await instructions.inputValue(), 'Mine')
    assert.deepEqual(await axeFaults(page), [])
    await page.getByRole('button', { name: 'Save' }).click()
    await both.waitFor({ state: 'detached' })
    await until(async () => {
      const { instructions: kept, description } = dataOf(await by.get(agent))['draft'] as unknown as typeof draft & {
        readonly description: string
      }
      return kept === 'Mine' && description === 'Told meanwhile'
    })
  })

  it('is published once more where that failed, and its changes, which were kept, are no others’', async () => {
    const by = await acts.stage.owner()
    const draft = { code: 'half_way', name: 'Half-way', model: 'demo', instructions: 'First' }
    const agent = `/admin/ai/agents/${textOf(dataOf(await by.post('/admin/ai/agents', draft), 201)['id'])}`
    const page = await acts.tab(await acts.signedIn(demoOwner(acts.stage)), `/tenant/agents/${agent.split('/').at(-1)}`)
    let isLost = false
    await page.route(`**${agent}/publish`, async (route) => {
      if (isLost) return route.continue()
      isLost = true
      return route.abort()
    })
    await page.getByRole('textbox', { name: 'Instructions' }).fill('Second')
    await page.getByRole('button', { name: 'Publish' }).click()
    await page.getByRole('button', { name: 'Try again' }).click()
    await until(async () => textOf(dataOf(await by.get(agent))['status']) === 'published')
    await page.getByRole('alert').waitFor({ state: 'detached' })
    assert.equal((dataOf(await by.get(agent))['draft'] as unknown as typeof draft).instructions, 'Second')
  })
})
