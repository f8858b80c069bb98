import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mock } from 'node:test'
import type { Knex } from 'knex'
import { createGuardedFetch, createMemoryCache } from '#kernel'
import { McpSessions } from '../../../core-plugins/mcp/door/sessions.ts'
import { ClientTokens } from '../../../core-plugins/mcp/peer/client-tokens.ts'
import type { McpServerRow } from '../../../core-plugins/mcp/tables.ts'
import { cleanJson } from '../../../core-plugins/mcp/tools/clean-json.ts'
import { PeerBook } from '../../../core-plugins/mcp/use/peer-book.ts'
import type { ServerSecrets } from '../../../core-plugins/mcp/use/server-secrets.ts'
import { EventLines } from '../../../core-plugins/mcp/wire/event-lines.ts'
import { startLanes } from '../../support/mcp/http-lanes.ts'
import { until } from '../../support/until.ts'

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
