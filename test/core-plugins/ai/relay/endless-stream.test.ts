import assert from 'node:assert/strict'
import type { AttemptParts } from '../../../../core-plugins/ai/relay/attempt-parts.ts'
import type { CallListener } from '../../../../core-plugins/ai/connection/call.ts'
import { askStream } from '../../../../core-plugins/ai/relay/asked-answer.ts'
import { StreamAttempt } from '../../../../core-plugins/ai/relay/stream-attempt.ts'

/** An attempt at an answer of at most ten tokens, at a provider of which only `piece` is heard. */
function attempt(steps: number): { readonly stream: StreamAttempt; readonly opened: Promise<void> } {
  const vendor = {
    wire: 'none',
    fault: (status: number, _: unknown, body: string) => ({ class: 'server', status, message: String(body.length) }),
    chat: () => ({ url: 'http://a', method: 'POST', headers: {}, body: '', dropped: [] }),
    reader: () => ({ push: () => Array.from({ length: steps }, () => ({ type: 'usage' })), end: () => 'truncated' }),
  }
  const parts = {
    connection: { open: () => ({ abort: () => undefined, pause: () => undefined, resume: () => undefined }) },
    provider: { vendor, baseUrl: 'http://a', headers: {}, secrets: {} },
    model: { upstreamModel: 'm', capabilities: {} },
    ...{ request: {}, maxOutputTokens: 10, timeouts: {} },
  }
  const stream = new StreamAttempt(parts as unknown as AttemptParts)
  const opened = stream.open()
  opened.catch(() => undefined)
  return { stream, opened }
}

describe('a stream of a provider that never ends', () => {
  it('is broken off at more bytes than any answer has, also where they say nothing', async () => {
    const { stream, opened } = attempt(0)
    const piece = Buffer.from(`: ${'x'.repeat(65_000)}\n`)
    for (let at = 0; at < 200; at++) stream.piece(piece)
    await assert.rejects(opened, /more than any answer has/)
  })

  it('is a refusal of which no more is kept than any has', async () => {
    const { stream, opened } = attempt(0)
    stream.head(500, {})
    for (let at = 0; at < 200; at++) stream.piece(Buffer.alloc(65_536, 'x'))
    stream.end()
    await assert.rejects(opened, { message: String(1_048_576) })
  })

  it('is no answer for a plugin to read', async () => {
    const nothing = () => undefined
    const open = (_: unknown, listener: CallListener) => {
      setImmediate(() => {
        listener.head(200, {})
        for (let at = 0; at < 100; at++) listener.piece(Buffer.alloc(65_536, 'x'))
        listener.end()
      })
      return { abort: nothing, began: nothing, pause: nothing, resume: nothing }
    }
    const options = { signal: new AbortController().signal }
    const asked = { connection: { open }, reader: { read: () => Promise.resolve([]) }, options }
    const steps = askStream(asked as unknown as Parameters<typeof askStream>[0])
    await assert.rejects(steps.next(), /too large/)
  })

  it('is broken off at more steps than any answer has', async () => {
    const { stream, opened } = attempt(100)
    for (let at = 0; at < 200; at++) stream.piece(Buffer.from('data: {}\n\n'))
    await assert.rejects(opened, /more than any answer has/)
  })
})
