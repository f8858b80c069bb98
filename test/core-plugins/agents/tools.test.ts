import assert from 'node:assert/strict'
import { textOf } from '../../support/attachments.ts'
import type { Api, Body } from '../../support/api.ts'
import { openToolServer } from '../../support/mcp/tool-server.ts'
import { createTenant, createUser, dataOf } from '../../support/platform.ts'
import { installAndEnable, packSmall } from '../../support/small-plugin.ts'
import { addServer, path as servers, startWithTools } from '../mcp/world.ts'
import { listOf } from './world.ts'

const path = '/admin/ai/agent-tools'
const plugin = 'acme.parcels'
const input = { type: 'object', additionalProperties: false, properties: {} }
const inputSchema = { type: 'object' } as const
const manifest = {
  title: { default: 'Parcels', 'zh-CN': '包裹' },
  capabilities: ['ai:tool'],
  reasons: { 'ai:tool': 'Finds parcels.' },
  permissions: [{ code: 'send', title: { default: 'Send parcels' } }],
  tenant_routes: [{ method: 'GET', path: '/any', handler: 'any', permission: 'send' }],
  provides: {
    aiTools: [
      {
        ...{ name: 'find', title: { default: 'Find a parcel', 'zh-CN': '查找包裹' }, input, handler: 'find' },
        description: { default: 'Says where it is', 'zh-CN': '查询位置' },
      },
      {
        ...{ name: 'send', description: { default: 'Sends one' }, input, handler: 'find', effect: 'write' },
        permission: 'send',
      },
    ],
  },
}
const definition = `{ handlers: { any: () => 1 }, aiTools: { find: () => ({ content: 'here' }) } }`

describe('Tools that AI agents may be given', () => {
  let world: Awaited<ReturnType<typeof startWithTools>>
  before(async () => {
    world = await startWithTools()
    await installAndEnable(world.admin, await packSmall(plugin, manifest, definition))
    await give(world.id, world.owner)
  })
  after(() => world[Symbol.asyncDispose]())

  async function give(tenantId: unknown, owner: Api) {
    dataOf(await world.admin.post(`/admin/plugins/${plugin}/tenants`, { tenant_ids: [tenantId] }))
    dataOf(await owner.post(`/tenant/plugins/${plugin}/enable`, {}))
  }
  const namesIn = (body: Body) =>
    (body['items'] as unknown as readonly Body[]).map((item) => `${textOf(item['plugin'])}/${textOf(item['name'])}`)
  const namesOf = async (by: Api, query = '') => namesIn(dataOf(await by.get(`${path}${query}`)))

  it('are told with who brings them, what they do and whether they ask, in the language of whoever reads', async () => {
    const read = async (language: string) =>
      dataOf(await world.owner.get(`${path}?plugin=${plugin}`, { headers: { 'accept-language': language } }))
    const beside = { plugin, permission: null, state: 'on' }
    const find = { ...beside, name: 'find', effect: 'read', confirm: 'never' }
    const send = { ...beside, name: 'send', effect: 'write', confirm: 'write', permission: `plugin.${plugin}:send` }
    const english = { kind: 'plugin', title: 'Parcels' }
    assert.deepEqual(await read('en'), {
      items: [
        { ...find, title: 'Find a parcel', description: 'Says where it is', source: english },
        { ...send, title: 'send', description: 'Sends one', source: english },
      ],
      ...{ total: 2, page: 1, page_size: 20, pages: 1 },
    })
    const [chinese] = (await read('zh-CN'))['items'] as unknown as readonly Body[]
    const source = { kind: 'plugin', title: '包裹' }
    assert.deepEqual(chinese, { ...find, title: '查找包裹', description: '查询位置', source })
  })

  it('are those of MCP servers that somebody allowed, with why one cannot be called', async () => {
    const { owner, lanes } = await tenantWithTools('allowed')
    const long = { name: 'long', title: 'Long one', description: 'x'.repeat(400), inputSchema }
    const search = { name: 'search', description: 'Finds', inputSchema }
    const server = openToolServer(lanes, 'allowed', [search, long, { ...search, name: 'secret' }], 'current')
    const wish = { name: 'orders', url: server.url, tools: [{ name: 'search', effect: 'read' }, 'long'] }
    const { id } = await addServer(owner, wish)
    const read = async () => dataOf(await owner.get(`${path}?plugin=mcp:orders`))['items'] as unknown as readonly Body[]
    const beside = { plugin: 'mcp:orders', source: { kind: 'mcp', title: 'orders' }, permission: null, state: 'on' }
    const found = { ...beside, name: 'search', title: 'search', description: 'Finds' }
    assert.deepEqual(await read(), [
      {
        ...beside,
        name: 'long',
        title: 'Long one',
        description: 'x'.repeat(300),
        effect: 'external',
        confirm: 'write',
      },
      { ...found, effect: 'read', confirm: 'never' },
    ])
    server.tools = [{ ...search, description: 'Finds and deletes' }]
    dataOf(await owner.post(`${servers}/${textOf(id)}/refresh`))
    // Of one that was changed it is told what was approved.
    assert.deepEqual(
      (await read()).map(({ name, description, state }) => [name, textOf(description).slice(0, 20), state]),
      [
        ['long', 'x'.repeat(20), 'gone'],
        ['search', 'Finds', 'changed'],
      ],
    )
    assert.deepEqual(await namesOf(owner, '?state=on&plugin=mcp:orders'), [])
    const tools = [{ plugin: 'mcp:orders', name: 'search' }]
    const wanted = { code: 'off', name: 'Off', model: 'fast', tools }
    const agent = textOf(dataOf(await owner.post('/admin/ai/agents', wanted), 201)['id'])
    const refused = await owner.post(`/admin/ai/agents/${agent}/publish`, {})
    assert.deepEqual([refused.status, refused.body['code']], [422, 4229])
    dataOf(await owner.put(`${servers}/${textOf(id)}`, { status: 'disabled' }))
    assert.deepEqual(await read(), [])
  })

  it('are searched, filtered, named and paged', async () => {
    const { owner, lanes } = await tenantWithTools('searched')
    const tools = ['beta', 'alpha'].map((name) => ({ name, description: `The ${name} tool`, inputSchema }))
    const { url } = openToolServer(lanes, 'searched', tools, 'current')
    await addServer(owner, { name: 'letters', url, tools: ['alpha', { name: 'beta', effect: 'read' }] })
    const all = [`${plugin}/find`, `${plugin}/send`, 'mcp:letters/alpha', 'mcp:letters/beta']
    assert.deepEqual(await namesOf(owner), all)
    const cases: readonly (readonly [string, readonly string[]])[] = [
      ['q=BETA%20TOOL', ['mcp:letters/beta']],
      ['q=parcels', all.slice(0, 2)],
      ['q=%25', []],
      ['effect=read', [`${plugin}/find`, 'mcp:letters/beta']],
      ['confirm=never', [`${plugin}/find`, 'mcp:letters/beta']],
      ['effect=read&plugin=mcp:letters', ['mcp:letters/beta']],
      [`names=${plugin}/send,mcp:letters/alpha,mcp:letters/none`, [`${plugin}/send`, 'mcp:letters/alpha']],
      ['page_size=3&page=2', ['mcp:letters/beta']],
    ]
    for (const [query, expected] of cases) assert.deepEqual(await namesOf(owner, `?${query}`), expected, query)
    assert.equal(dataOf(await owner.get(`${path}?page_size=3`))['total'], 4)
    assert.equal((await owner.get(`${path}?effect=none`)).status, 422)
  })

  it('are those of one tenant: of nobody else’s is anything told, and the platform says whose', async () => {
    const other = await createTenant(world.admin, 'others')
    const { url } = openToolServer(world.lanes, 'private', [{ name: 'search', inputSchema }], 'current')
    await addServer(world.owner, { name: 'private', url, tools: ['search'] })
    const shared = openToolServer(world.lanes, 'shared', [{ name: 'search', inputSchema }], 'current')
    await addServer(world.admin, { name: 'shared', url: shared.url, tools: ['search'] })
    assert.deepEqual(await namesOf(other.owner), ['mcp:shared/search'])
    const mine = await namesOf(world.owner)
    assert.ok([`${plugin}/find`, 'mcp:private/search', 'mcp:shared/search'].every((name) => mine.includes(name)))
    for (const query of ['plugin=mcp:private', `names=mcp:private/search,${plugin}/find`, 'q=private'])
      assert.deepEqual(await namesOf(other.owner, `?${query}`), [], query)
    assert.deepEqual(await namesOf(world.admin, `?tenant_id=${world.id}`), mine)
    const foreign = [await other.owner.get(`${path}?tenant_id=${world.id}`), await world.admin.get(path)]
    for (const { status, body } of foreign) assert.deepEqual([status, body['code']], [422, 4229])
    dataOf(await world.owner.post(`/tenant/plugins/${plugin}/disable`, {}))
    assert.deepEqual(await namesOf(world.owner, `?plugin=${plugin}`), [])
    dataOf(await world.owner.post(`/tenant/plugins/${plugin}/enable`, {}))
  })

  it('are for whoever may read agents', async () => {
    const { owner } = await createTenant(world.admin, 'readers')
    const may = await createUser(owner, 'readers', ['tenant_agent:detail'])
    assert.deepEqual(listOf(dataOf(await may.get(`${path}?plugin=none`)), 'name'), [])
    const mayNot = await createUser(owner, 'readers', ['tenant_agent:list'])
    const { status, body } = await mayNot.get(path)
    assert.deepEqual([status, body['code'], body['details']], [403, 4031, { permission: 'tenant_agent:detail' }])
    assert.equal((await world.platform.host.api.get(path)).status, 401)
  })

  async function tenantWithTools(code: string) {
    const { owner, id } = await createTenant(world.admin, code)
    await give(id, owner)
    return { owner, lanes: world.lanes }
  }
})
