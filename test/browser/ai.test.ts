import assert from 'node:assert/strict'
import type { Response } from 'playwright-core'
import type { Body } from '../support/api.ts'
import { openToolServer, type TestTool } from '../support/mcp/tool-server.ts'
import { dataOf } from '../support/platform.ts'
import { until } from '../support/until.ts'
import { axeFaults } from './support/axe.ts'
import { demoOwner, useActs } from './support/stage.ts'

/** A day of a trend. */
interface Bucket {
  readonly from: string
  readonly results: readonly { readonly requests?: number }[]
}

const search: TestTool = { name: 'search', description: 'Finds orders.', inputSchema: { type: 'object' } }
const cancel: TestTool = { name: 'cancel', description: 'Cancels an order.', inputSchema: { type: 'object' } }

describe('AI administration', () => {
  const acts = useActs()

  it('an API key is shown once, and the list never has it', async () => {
    const page = await acts.tab(await acts.signedIn(), '/admin/ai/api-keys')
    await page.getByRole('button', { name: 'New key' }).click()
    await page.getByLabel('Name').fill('Reports')
    await page.getByRole('button', { name: 'Make the key' }).click()
    const shown = page.getByRole('dialog', { name: 'The key' })
    const key = (await shown.locator('code').textContent()) ?? ''
    assert.ok(key.length > 20, key)
    await shown.getByRole('button', { name: 'I have it' }).click()
    await page.getByRole('cell', { name: 'Reports', exact: true }).waitFor()
    assert.ok(!(await page.content()).includes(key))
  })

  it('a quota is said in a sentence before it holds', async () => {
    const page = await acts.tab(await acts.signedIn(), '/admin/ai/quotas')
    await page.getByRole('button', { name: 'New quota' }).click()
    await page.getByLabel('Name').fill('All of it')
    await page.getByLabel('Limit').fill('50')
    await page.getByText('Every tenant may use $50.00 a month.').waitFor()
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('link', { name: 'All of it' }).click()
    await page.getByRole('heading', { name: 'All of it', level: 1 }).waitFor()
    await page.getByText('Every tenant may use $50.00 a month.').waitFor()
    await page.getByText('There are no windows before the present one.').waitFor()

    // As if a quarter had been used this month, and half in each of two before.
    const id = page.url().split('/').at(-1) ?? ''
    const { knex } = acts.stage.host.kernel.database
    const everybody = { tenant: 'all' } as const
    const now = new Date()
    const windows = [0, 1, 2].map((ago) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - ago, 1)))
    await knex('ai_quota_buckets')
      .queryContext(everybody)
      .insert(
        windows.map((start, ago) => ({
          ...{ tenant_id: 0, quota_id: id, bucket: '', window_start: start, used: ago === 0 ? 12.5e9 : 25e9 },
        })),
      )
      .onConflict(['quota_id', 'bucket', 'window_start'])
      .merge()
    await page.reload()
    const chart = page.getByRole('region', { name: /^Used in each window/ }).last()
    await chart.getByRole('button', { name: 'As a table' }).click()
    assert.deepEqual(await chart.getByRole('cell').allTextContents(), ['$25.00', '$25.00', '$12.50'])
    assert.deepEqual(await axeFaults(page), [])
    await page.goto(acts.at('/admin/ai/quotas'))
    const row = page.getByRole('row').filter({ hasText: 'All of it' })
    await row.getByText('25%').waitFor()
    await row.getByRole('meter', { name: 'Used of All of it' }).waitFor()
    assert.deepEqual(await axeFaults(page), [])
  })

  it('targets of a route change places by keys and by dragging, with their tiers, and are saved in one request', async () => {
    const by = await acts.stage.staff()
    const targets = [1, 2, 3].map((tier) => ({ id: `t${tier}`, model: 'demo', tier, weight: tier * 10 }))
    const body = { name: 'Ordered', enabled: false, priority: 900, match: { models: ['demo'] }, targets }
    const { id } = dataOf(await by.post('/admin/ai/gateway/routes', body), 201)
    const page = await acts.tab(await acts.signedIn(), '/admin/ai/gateway/routes')
    await page.getByRole('button', { name: 'Edit Ordered' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Move target 3 up' }).press('Enter')
    // The focus goes with what was moved, which joined the second tier.
    await page.keyboard.press('Enter')
    await dialog.getByRole('button', { name: 'Move target 1 up' }).and(dialog.locator('[aria-disabled=true]')).waitFor()
    await dialog
      .locator('.grip')
      .nth(2)
      .dragTo(dialog.getByRole('group', { name: 'target 1' }))
    assert.deepEqual(await axeFaults(page), [])
    const sent: unknown[] = []
    page.on('request', (request) => request.method() === 'PUT' && sent.push(request.postDataJSON()))
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    const shown = (list: unknown) =>
      (list as { id: string; tier: number; weight: number }[]).map(({ id: of, tier, weight }) => [of, tier, weight])
    const wanted = [
      ['t2', 1, 20],
      ['t3', 1, 30],
      ['t1', 1, 10],
    ]
    assert.deepEqual(
      sent.map((each) => shown((each as { targets: unknown }).targets)),
      [wanted],
    )
    const { items } = dataOf(await by.get('/admin/ai/gateway/routes?page_size=100')) as unknown as {
      readonly items: readonly { readonly id: unknown; readonly targets: unknown }[]
    }
    assert.deepEqual(shown(items.find((route) => route.id === id)?.targets), wanted)
  })

  it('an MCP server is tested before it is there, its tools are allowed one by one, and who uses it is told before it goes', async () => {
    const by = await acts.stage.owner()
    const server = openToolServer(acts.stage.lanes, 'orders', [search, cancel], 'current')
    const page = await acts.tab(await acts.signedIn(demoOwner(acts.stage)), '/tenant/mcp-servers')
    await page.getByRole('button', { name: 'New MCP server' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('orders')
    await dialog.getByLabel('Address').fill('http://10.0.0.1/mcp')
    await dialog.getByRole('button', { name: 'Test' }).click()
    await dialog.locator('[aria-invalid="true"]').and(dialog.getByLabel('Address')).waitFor()
    await dialog.getByLabel('Address').fill(server.url)
    await dialog.getByRole('button', { name: 'Test' }).click()
    await dialog.getByText('search, cancel').waitFor()
    assert.deepEqual(await axeFaults(page), [])
    assert.equal(dataOf(await by.get('/admin/ai/mcp-servers?q=orders'))['total'], 0)
    await dialog.getByRole('button', { name: 'Save' }).click()

    await page.getByRole('heading', { name: 'orders', level: 1 }).waitFor()
    const tool = page.getByRole('listitem', { name: 'search' })
    await tool.getByText('Not allowed').waitFor()
    await tool.getByRole('checkbox').check()
    await tool.getByText('the user is asked before each call').waitFor()
    await tool.getByLabel('What it does').selectOption('Only reads')
    await tool.getByText('nobody is asked').waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await tool.getByText('On', { exact: true }).waitFor()
    assert.deepEqual(await axeFaults(page), [])
    const one = `/admin/ai/mcp-servers/${new URL(page.url()).pathname.split('/').at(-1) ?? ''}`
    const tools = dataOf(await by.get(one))['tools'] as unknown as readonly Body[]
    assert.deepEqual(
      tools.map(({ name, allowed, effect, confirm }) => [name, allowed, effect, confirm]),
      [
        ['cancel', false, 'external', 'write'],
        ['search', true, 'read', 'write'],
      ],
    )
    server.tools = [{ ...search, description: 'Finds orders, and cancels them.' }, cancel]
    await page.getByRole('button', { name: 'Look again' }).click()
    await tool.getByText('Changed', { exact: true }).waitFor()
    await tool.locator('ins').getByText('and cancels them.').waitFor()
    await tool.getByRole('button', { name: 'Approve search as it is now' }).click()
    await tool.getByText('On', { exact: true }).waitFor()

    await page.getByRole('button', { name: 'Edit orders' }).click()
    dataOf(await by.put(one, { timeout_ms: 900 }))
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByRole('alert').waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await page.getByText('0.9', { exact: true }).waitFor()
    assert.equal(dataOf(await by.get(one))['timeout_ms'], 900)

    const draft = {
      code: 'orders',
      name: 'Order taker',
      model: 'demo',
      tools: [{ plugin: 'mcp:orders', name: 'search' }],
    }
    dataOf(await by.post('/admin/ai/agents', draft), 201)
    await page.getByRole('button', { name: 'Delete orders' }).click()
    await dialog.getByRole('link', { name: 'Order taker' }).waitFor()
    assert.deepEqual(await axeFaults(page), [])
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('heading', { name: 'MCP servers', level: 1 }).waitFor()
    assert.equal(dataOf(await by.get('/admin/ai/mcp-servers?q=orders'))['total'], 0)
  })

  it('47: charts of usage add up to what the server says, and the table beside them too', async () => {
    const by = await acts.stage.owner()
    const agents = dataOf(await by.get('/admin/ai/agents'))['items'] as unknown as { id: string }[]
    const messages = [{ role: 'user', content: 'hello' }]
    dataOf(await by.post(`/admin/ai/agents/${agents[0]?.id}/try`, { messages }))
    dataOf(await by.patch('/preferences', { timezone: 'Asia/Shanghai' }))
    const page = await acts.tab(await acts.signedIn(demoOwner(acts.stage)))
    const bucketsOf = async (response: Response) => {
      const { data } = (await response.json()) as { readonly data: { readonly buckets: readonly Bucket[] } }
      return data.buckets
    }
    let buckets: readonly Bucket[] = []
    // Calls of others may be counted meanwhile: what is shown is what was told last.
    page.on('response', (response) => {
      if (response.url().includes('/usage/trends')) void bucketsOf(response).then((told) => (buckets = told))
    })
    await page.goto(acts.at('/tenant/usage?days=7'))
    const chart = page.getByRole('region', { name: /^Requests/ }).first()
    await chart.getByRole('button', { name: 'As a table' }).click()
    await until(async () => {
      const numbers = await chart.getByRole('cell').allTextContents()
      const sum = numbers.reduce((total, text) => total + Number(text.replaceAll(',', '')), 0)
      const told = buckets.reduce((total, { results }) => total + Number(results[0]?.requests ?? 0), 0)
      return numbers.length === 7 && sum >= 1 && sum === told
    })
    // The days are those of the reader, which begin at 16:00 in UTC.
    assert.ok(buckets.every(({ from }) => from.endsWith('T16:00:00.000Z')))
    dataOf(await by.delete('/preferences/timezone'))
  })

  it('an agent is changed, tried and published in its studio', async () => {
    const page = await acts.tab(await acts.signedIn(demoOwner(acts.stage)), '/tenant/agents')
    await page.getByRole('button', { name: 'New agent' }).click()
    const made = page.getByRole('dialog')
    await made.getByLabel('Name').fill('Helper')
    await made.getByLabel('Code').fill('helper')
    await made.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('heading', { name: 'Helper', level: 1 }).waitFor()
    await page.getByLabel('Instructions').fill('Answer in one sentence.')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved', { exact: true }).first().waitFor()
    await page.getByRole('textbox', { name: 'Ask it something' }).fill('Are you there?')
    await page.keyboard.press('Enter')
    await page.getByRole('log', { name: 'Trial conversation' }).getByText('You said: Are you there?').waitFor()
    await page.getByRole('button', { name: 'Publish' }).click()
    await page.getByText('It is published', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'Versions' }).click()
    await page.getByRole('button', { name: 'What changed in version 1' }).click()
    await page.getByRole('dialog').getByText('Answer in one sentence.').waitFor()
    await page.keyboard.press('Escape')

    // Its figures, and what its card says of thirty days, are what the ledger says.
    const by = await acts.stage.owner()
    const id = new URL(page.url()).pathname.split('/').at(-1) ?? ''
    await page.getByRole('link', { name: 'Figures' }).click()
    const chart = page.getByRole('region', { name: /^Requests/ })
    await chart.getByRole('button', { name: 'As a table' }).click()
    const numbers = await chart.getByRole('cell').allTextContents()
    const from = new Date(Date.now() - 29 * 86_400_000).toISOString()
    const { items } = dataOf(
      await by.get(`/admin/ai/usage/costs?group_by=agent&agent_id=${id}&from=${from}`),
    ) as unknown as {
      items: { requests: number }[]
    }
    assert.deepEqual([numbers.length, numbers.reduce((sum, text) => sum + Number(text), 0)], [30, items[0]?.requests])
    assert.deepEqual(await axeFaults(page), [])
    await page.goto(acts.at('/tenant/agents'))
    const card = page.getByRole('listitem').filter({ has: page.getByRole('link', { name: 'Helper', exact: true }) })
    await card.getByText(new RegExp(`^${items[0]?.requests} calls?, \\$[0-9.]+ in 30 days$`)).waitFor()
    assert.deepEqual(await axeFaults(page), [])
  })
})
