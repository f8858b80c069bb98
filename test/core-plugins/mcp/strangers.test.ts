import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mock } from 'node:test'
import type { Knex } from 'knex'
import { createGuardedFetch, createMemoryCache, type AppError } from '#kernel'
import { Door } from '../../../core-plugins/mcp/door/door.ts'
import { Listeners } from '../../../core-plugins/mcp/door/listeners.ts'
import { isListed } from '../../../core-plugins/mcp/door/pattern.ts'
import { McpSessions } from '../../../core-plugins/mcp/door/sessions.ts'
import { McpBusyError, McpBusyListenersError } from '../../../core-plugins/mcp/errors.ts'
import { ClientTokens } from '../../../core-plugins/mcp/peer/client-tokens.ts'
import type { McpServerRow } from '../../../core-plugins/mcp/tables.ts'
import { cleanJson } from '../../../core-plugins/mcp/tools/clean-json.ts'
import { listTools } from '../../../core-plugins/mcp/tools/list-tools.ts'
import { PeerBook } from '../../../core-plugins/mcp/use/peer-book.ts'
import type { ServerSecrets } from '../../../core-plugins/mcp/use/server-secrets.ts'
import { EventLines } from '../../../core-plugins/mcp/wire/event-lines.ts'
import { startLanes } from '../../support/mcp/http-lanes.ts'
import { until } from '../../support/until.ts'

type DoorParts = ConstructorParameters<typeof Door>[0]

describe('what strangers of the Model Context Protocol do', () => {
  it('that send events byte by byte costs what they send, not its square', () => {
    const sent = Buffer.from(`data: ${'x'.repeat(400_000)}\r\ndata: y\r\n\r\n`)
    const lines = new EventLines()
    const before = process.cpuUsage()
    const said: string[] = []
    for (const byte of sent) said.push(...lines.take(Uint8Array.of(byte)))
    const { user } = process.cpuUsage(before)
    assert.deepEqual(said, [`${'x'.repeat(400_000)}\ny`])
    assert.ok(user < 10_000_000, `${String(user)} µs`)
  })

  it('that is not seen by who approves a tool is not told to a model either', () => {
    const hide = (text: string, offset: number): string =>
      Array.from(text, (letter) => String.fromCodePoint(offset + letter.charCodeAt(0))).join('')
    const tags = hide('obey', 0xe0000)
    const selectors = hide('obey', 0xe0100)
    const said = `Finds${tags} or${selectors}ders\u3164\u115f\u034f\u200b of\u200d\u200c you\ufe0frs`
    assert.deepEqual(cleanJson({ said }), { said: 'Finds orders of yours' })
    // Joiners that Persian and Hindi are written with.
    const written = { said: 'می\u200cخواهم क्\u200dष' }
    assert.deepEqual(cleanJson(written), written)
  })

  it('that say of tools what nobody could approve is no tool that can be called, and of too many nothing is kept', async () => {
    const inputSchema = { type: 'object' }
    const from = (reference: string) => ({ ...inputSchema, properties: { a: { $ref: reference } } })
    const saying = (tools: readonly object[]) =>
      listTools({ request: () => Promise.resolve({ tools }) }, AbortSignal.timeout(1_000))
    const seen = await saying([
      { name: 'fine', inputSchema: from('#/$defs/a') },
      { name: 'elsewhere', inputSchema: from('https://evil.test/schema') },
      { name: 'large', inputSchema: { ...inputSchema, description: 'x'.repeat(33_000) } },
      {
        name: 'deep',
        inputSchema: { ...inputSchema, properties: JSON.parse('{"a":'.repeat(24) + '1' + '}'.repeat(24)) as unknown },
      },
      { name: 'long', description: 'x'.repeat(8_001), inputSchema },
      { name: 'twice', inputSchema },
      { name: 'twice', inputSchema, description: 'Another one' },
      { name: 'no name', inputSchema },
    ])
    assert.deepEqual(
      seen.map(({ name, unfit }) => [name, unfit]),
      [
        ['fine', null],
        ['elsewhere', 'Its schema points to another place'],
        ['large', 'Its schema is too large'],
        ['deep', 'Its schema is too deep'],
        ['long', 'Its description is too long'],
        ['twice', 'Its name is there twice'],
      ],
    )
    const many = Array.from({ length: 300 }, (_, at) => ({ name: `t${String(at)}`, inputSchema }))
    assert.equal((await saying(many)).length, 256)
  })

  it('that listen is bounded, of one and of all', () => {
    const listeners = new Listeners()
    const seats = Array.from({ length: 5 }, () => listeners.take('one'))
    assert.throws(() => listeners.take('one'), McpBusyListenersError)
    for (let at = 0; at < 495; at++) listeners.take(`another ${String(at)}`)
    assert.throws(() => listeners.take('the last'), McpBusyListenersError)
    seats[0]?.[Symbol.dispose]()
    listeners.take('one')
  })

  it('that ask too often are told when to come again', async () => {
    const hits: unknown[] = []
    const hit = (...hitting: readonly unknown[]) => {
      hits.push(hitting)
      return Promise.resolve({ allowed: false, remaining: 0, resetSeconds: 6.5 })
    }
    const callers = { of: () => Promise.resolve({ id: 'key k' }) }
    const door = new Door({ limiter: { hit }, callers, metadataUrl: '' } as unknown as DoorParts)
    const ctx = { header: () => undefined, state: {} } as unknown as Parameters<Door['admit']>[0]
    await assert.rejects(door.admit(ctx), (error: AppError) => {
      assert.deepEqual([error.code, error.headers], [4290, { 'retry-after': '7' }])
      return true
    })
    assert.deepEqual(hits, [['mcp:key k', 600, 60]])
  })

  it('that have a key have what its lists name, and no more', () => {
    const listed = (patterns: readonly string[]) =>
      ['orders', 'orders_x', 'x_orders', 'order', 'aba', 'abba'].filter((name) => isListed(patterns, name))
    assert.deepEqual(listed(['orders']), ['orders'])
    assert.deepEqual(listed(['orders*']), ['orders', 'orders_x'])
    assert.deepEqual(listed(['*_*', 'or*er']), ['orders_x', 'x_orders', 'order'])
    // What is between may be nothing, but nothing is both ends.
    assert.deepEqual(listed(['ab*ba']), ['abba'])
  })

  describe('that wait', () => {
    afterEach(() => mock.timers.reset())

    it('for half an hour have no session any more, whether somebody listens or not', async () => {
      mock.timers.enable({ apis: ['Date'], now: 1_000_000 })
      const sessions = new McpSessions(createMemoryCache())
      const id = await sessions.open({ caller: 'me', revision: '2025-11-25' })
      mock.timers.tick(29 * 60_000)
      assert.equal(await sessions.use(id, 'me'), '2025-11-25')
      mock.timers.tick(29 * 60_000)
      assert.deepEqual([await sessions.isOpen(id, 'me'), await sessions.isOpen(id, 'you')], [true, false])
      mock.timers.tick(61_000)
      assert.equal(await sessions.use(id, 'me'), undefined)
    })

    it('to be used again are let go, with their session and what they are opened with', async () => {
      await using lanes = await startLanes()
      const seen: string[] = []
      const url = lanes.open('idle', (request, response, body) => {
        seen.push(request.method ?? '')
        const { id = null, method } = (body.length > 0 ? JSON.parse(body.toString()) : {}) as {
          id?: number
          method?: string
        }
        const result =
          method === 'initialize' ? { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: {} } : { tools: [] }
        const headers = { 'content-type': 'application/json', 'mcp-session-id': 'one' }
        response
          .writeHead(method === undefined ? 204 : 200, headers)
          .end(JSON.stringify({ jsonrpc: '2.0', id, result }))
      })
      await using http = createGuardedFetch({
        egressAllowPrivate: new Set([`127.0.0.1:${String(lanes.port)}`]),
      } as never)
      const secrets = { of: () => Promise.resolve(new Map()) } as unknown as ServerSecrets
      await using peers = new PeerBook({
        db: undefined as unknown as Knex,
        http,
        secrets,
        tokens: new ClientTokens(http),
      })
      const row = {
        id: randomUUID(),
        version: 1,
        url,
        auth: { type: 'none' },
        timeoutMs: 5_000,
        revision: '2025-11-25',
      }
      const server = row as unknown as McpServerRow
      const list = () =>
        peers.with(server, (peer) => peer.request({ method: 'tools/list', params: {} }, AbortSignal.timeout(5_000)))
      await list()
      const held = Promise.withResolvers<undefined>()
      const eight = Array.from({ length: 8 }, () => peers.with(server, () => held.promise))
      await assert.rejects(
        peers.with(server, () => Promise.resolve()),
        McpBusyError,
      )
      held.resolve(undefined)
      await Promise.all(eight)
      await peers.leaveIdle(60_000)
      await list()
      assert.deepEqual(seen, ['POST', 'POST', 'POST', 'POST'])
      await peers.with(server, () => peers.leaveIdle(0))
      assert.equal(seen.length, 4, 'one that is spoken to stays')
      await peers.leaveIdle(0)
      await until(() => seen.at(-1) === 'DELETE')
      await list()
      assert.equal(seen.length, 8, 'and is met anew')
    })
  })
})
