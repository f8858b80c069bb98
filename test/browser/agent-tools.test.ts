import assert from 'node:assert/strict'
import { textOf } from '../support/attachments.ts'
import type { Body } from '../support/api.ts'
import { openToolServer } from '../support/mcp/tool-server.ts'
import { dataOf } from '../support/platform.ts'
import { until } from '../support/until.ts'
import { axeFaults } from './support/axe.ts'
import { pressByKey, tabTo } from './support/by-keyboard.ts'
import { demoOwner, useActs } from './support/stage.ts'

const inputSchema = { type: 'object' } as const
const shop = { plugin: 'acme.shop-orders', name: 'order_status' }
const gone = { plugin: 'acme.gone', name: 'lost' }

describe('the tools of an agent', () => {
  const acts = useActs()

  it('are chosen by keyboard alone from those that are offered, and what is no longer offered is said and taken away', async () => {
    const by = await acts.stage.owner()
    // The sample plugin of the demo tenant is installed in the background.
    const offered = async () => dataOf(await by.get(`/admin/ai/agent-tools?plugin=${shop.plugin}`))['total']
    await until(async () => Number(await offered()) > 0)
    const told = ['weigh', 'wrap', 'burn'].map((name) => ({ name, description: `${name}s a parcel`, inputSchema }))
    const server = openToolServer(acts.stage.lanes, 'parcels', told, 'current')
    const wish = { name: 'parcels', url: server.url, tools: ['weigh', 'burn', { name: 'wrap', effect: 'read' }] }
    const { id } = dataOf(await by.post('/admin/ai/mcp-servers', wish), 201)
    server.tools = told.map((tool) => (tool.name === 'burn' ? { ...tool, description: 'Burns all of them' } : tool))
    dataOf(await by.post(`/admin/ai/mcp-servers/${textOf(id)}/refresh`))
    const draft = { code: 'parcels', name: 'Parcels', model: 'demo', tools: [gone, { ...shop, always_confirm: true }] }
    const agent = `/admin/ai/agents/${textOf(dataOf(await by.post('/admin/ai/agents', draft), 201)['id'])}`
    const kept = async () => (dataOf(await by.get(agent))['draft'] as unknown as Body)['tools'] as unknown

    const page = await acts.tab(await acts.signedIn(demoOwner(acts.stage)), `/tenant/agents/${agent.split('/').at(-1)}`)
    const chosen = page.getByRole('list', { name: 'Chosen tools' })
    const lost = chosen.getByRole('listitem', { name: 'lost' })
    await lost.getByText('No longer offered').waitFor()
    const title = await chosen.getByRole('listitem').nth(1).getAttribute('aria-label')
    assert.notEqual(title, shop.name)
    assert.deepEqual(await axeFaults(page), [])

    await pressByKey(page, page.getByRole('button', { name: 'Choose tools' }))
    const dialog = page.getByRole('dialog', { name: 'Choose tools' })
    const group = dialog.getByRole('group', { name: 'parcels (MCP server)' })
    await group.getByRole('checkbox', { name: 'weigh' }).waitFor()
    assert.equal(await dialog.getByRole('checkbox', { name: title ?? '' }).isChecked(), true)
    assert.deepEqual(await axeFaults(page), [])
    // What cannot be called says why, and is not chosen.
    const burn = group.getByRole('checkbox', { name: 'burn' })
    await pressByKey(page, burn, 'Space')
    assert.deepEqual([await burn.isChecked(), await burn.getAttribute('aria-disabled')], [false, 'true'])
    await group.getByText('Changed', { exact: true }).waitFor()
    const weigh = group.getByRole('checkbox', { name: 'weigh' })
    await weigh.locator('xpath=..').getByText('weighs a parcel').waitFor()
    await dialog.getByRole('searchbox', { name: 'Search' }).focus()
    await page.keyboard.type('wraps')
    await page.keyboard.press('Enter')
    await dialog.getByText('1 tool', { exact: true }).waitFor()
    await group.getByText('Only reads').waitFor()
    await pressByKey(page, group.getByRole('checkbox', { name: 'wrap' }), 'Space')
    await pressByKey(page, dialog.getByRole('button', { name: 'Take 3 tools' }))
    await dialog.waitFor({ state: 'detached' })
    // Enter in the search has sent nothing.
    assert.deepEqual(await kept(), draft.tools)

    const wrap = chosen.getByRole('listitem', { name: 'wrap' })
    await wrap.getByText('wraps a parcel').waitFor()
    await pressByKey(page, wrap.getByRole('checkbox', { name: 'wrap asks before each use' }), 'Space')
    await pressByKey(page, lost.getByRole('button', { name: 'Take lost away' }))
    await lost.waitFor({ state: 'detached' })
    const saved = page.waitForResponse((response) => response.request().method() === 'PUT')
    await pressByKey(page, page.getByRole('button', { name: 'Save' }))
    assert.equal((await saved).status(), 200)
    const wanted = [draft.tools[1], { plugin: 'mcp:parcels', name: 'wrap', always_confirm: true }]
    assert.deepEqual(await kept(), wanted)

    // What the server no longer has is said without a reload of the whole.
    server.tools = []
    dataOf(await by.post(`/admin/ai/mcp-servers/${textOf(id)}/refresh`))
    await page.reload()
    await wrap.getByText('Gone', { exact: true }).waitFor()
    dataOf(await by.delete(`/admin/ai/mcp-servers/${textOf(id)}`))
    await page.reload()
    await wrap.getByText('No longer offered').waitFor()
    await page.getByRole('button', { name: 'Publish' }).click()
    await chosen.getByText('is provided by no plugin that runs').waitFor()
    assert.deepEqual(await axeFaults(page), [])
  })

  it('are told in Chinese to whoever reads Chinese', async () => {
    const by = await acts.stage.owner()
    await until(async () => Number(dataOf(await by.get(`/admin/ai/agent-tools?plugin=${shop.plugin}`))['total']) > 0)
    const agents = dataOf(await by.get('/admin/ai/agents?code=tracker'))['items'] as unknown as readonly Body[]
    const context = await acts.signedIn(demoOwner(acts.stage), { locale: 'zh-CN' })
    const page = await acts.tab(context, `/tenant/agents/${textOf(agents[0]?.['id'])}`)
    await page.getByRole('button', { name: '选择工具' }).click()
    const dialog = page.getByRole('dialog', { name: '选择工具' })
    await dialog.getByRole('group').getByText('只读取').first().waitFor()
    await tabTo(page, dialog.getByRole('button', { name: '使用这 1 个工具' }))
    assert.deepEqual(await axeFaults(page), [])
  })
})
