import { deepEqual, equal } from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { TestPlugin } from '#sandbox'
import { loadPlugin } from '../../marketplace/testing.ts'

const amount = { type: 'object', properties: { amount: { type: 'number' } }, required: ['amount'] }
const manifest = {
  ...{ manifestVersion: 1, name: 'acme.helper', version: '1.0.0', publisher: 'acme', license: 'MIT' },
  ...{ title: { default: 'Helper' }, description: { default: 'Helps' }, engines: { host: '^1.0.0' } },
  ...{ main: 'dist/index.js', scope: 'tenant', capabilities: ['notify', 'users:read_basic', 'ai:tool'] },
  reasons: { notify: 'Tells users.', 'users:read_basic': 'Finds them.', 'ai:tool': 'Doubles amounts.' },
  permissions: [{ code: 'use', title: { default: 'Use it' } }],
  public_routes: [
    { method: 'GET', path: '/greet', handler: 'greet', auth: 'none' },
    { method: 'GET', path: '/chatter', handler: 'chatter', auth: 'none' },
  ],
  provides: {
    aiTools: [
      {
        ...{ name: 'double', description: { default: 'Doubles' }, handler: 'double', permission: 'use' },
        ...{ input: amount, output: amount },
      },
    ],
  },
}
const source = `
  export default {
    handlers: {
      async greet(request, ctx) {
        const { users } = await ctx.users.list({ q: 'ann' })
        for (const { id } of users) await ctx.notify.send({ userId: id, title: 'Hello' })
        return [users.map(({ nickname }) => nickname), ctx.license.state, ctx.license.features]
      },
      chatter(request, ctx) { for (let line = 0; line < 150; line++) ctx.log.info('line') },
    },
    aiTools: { double: ({ amount }) => ({ content: { amount: amount > 9 ? 'much' : amount * 2 } }) },
  }`
const user = (id: number, nickname: string) =>
  ({ id, nickname, account: null, status: 'active', avatarUrl: '' }) as const

describe('the surroundings that a test gives a plugin', () => {
  let folder: string
  let plugin: TestPlugin

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'helper-'))
    await mkdir(path.join(folder, 'dist'))
    await writeFile(path.join(folder, 'manifest.json'), JSON.stringify(manifest))
    await writeFile(path.join(folder, 'dist/index.js'), source)
    plugin = await loadPlugin(folder, {
      users: [user(8, 'Joanne'), user(7, 'Ann'), user(9, 'Bea')],
      license: { state: 'trial', features: ['more'], expiresAt: null },
    })
  })
  after(async () => {
    await plugin[Symbol.asyncDispose]()
    await rm(folder, { recursive: true })
  })

  it('are its users, its licence and who is notified', async () => {
    const { data } = await plugin.request('GET /greet')
    deepEqual(data, [['Ann', 'Joanne'], 'trial', ['more']])
    deepEqual(
      plugin.notified.map(({ tenantId, userId, title }) => [tenantId, userId, title]),
      [
        [1, 7, 'Hello'],
        [1, 8, 'Hello'],
      ],
    )
  })

  it('hold a tool to its permission and to the schemas of its input and output', async () => {
    deepEqual((await plugin.callTool('double', { amount: 2 })).data, { content: { amount: 4 } })
    const refused = await plugin.callTool('double', { amount: 'two' })
    deepEqual([refused.status, refused.code, refused.error?.errors?.[0]?.field], [422, 4220, 'amount'])
    const invalid = await plugin.callTool('double', { amount: 10 })
    deepEqual([invalid.status, invalid.code, invalid.error?.errors?.[0]?.field], [502, 5029, 'amount'])
    const stranger = await plugin.callTool('double', { amount: 2 }, { user: { id: 2, permissions: [] } })
    deepEqual([stranger.status, stranger.code], [403, 4031])
  })

  it('have no lines in the log but those that were kept', async () => {
    const { logs } = await plugin.request('GET /chatter')
    equal(logs.length, 100)
    deepEqual([...new Set(logs.map(({ message }) => message))], ['line'])
  })
})
