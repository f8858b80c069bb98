import assert from 'node:assert/strict'
import { sseFrame, SseParser } from '../../../../core-plugins/ai/wire/sse.ts'
import { UpstreamFaultError, type WireEvent } from '../../../../core-plugins/ai/wire/vendor.ts'

/** What is read of a text that comes in pieces of so many bytes. */
function read(text: string, size: number, longest?: number): readonly WireEvent[] {
  const parser = new SseParser(longest)
  const bytes = Buffer.from(text)
  const seen: WireEvent[] = []
  for (let at = 0; at < bytes.length; at += size) seen.push(...parser.push(bytes.subarray(at, at + size)))
  return seen
}

const lines = [
  ': a comment',
  '',
  'event: delta',
  'data: {"text":"grüße 你好 🎉"}',
  '',
  'data:one',
  'data: two',
  'id: 7',
  '',
  'data: [DONE]',
  '',
  '',
]
const events = [{ event: 'delta', data: '{"text":"grüße 你好 🎉"}' }, { data: 'one\ntwo' }, { data: '[DONE]' }]

describe('Server-Sent Events of a vendor', () => {
  for (const [name, end] of Object.entries({ LF: '\n', CRLF: '\r\n', CR: '\r' })) {
    it(`are cut alike wherever the pieces end, within a character too, with lines that end with ${name}`, () => {
      for (const size of [1, 2, 3, 5, 7, 1_000]) assert.deepEqual(read(lines.join(end), size), events, `of ${size}`)
    })
  }

  it('are there as soon as their last line is, and none twice', () => {
    const parser = new SseParser()
    assert.deepEqual(parser.push(Buffer.from('data: a\r\r')), [{ data: 'a' }])
    assert.deepEqual(parser.push(Buffer.from('\ndata: b\r\n\r')), [{ data: 'b' }])
    assert.deepEqual(parser.push(Buffer.from('\n\r\n')), [])
  })

  it('are no events where they have no data, or no end', () => {
    const text = '\uFEFFdata: x\n\nevent: ping\n\nretry: 3\n\ndata\n\ndata: half'
    for (const size of [1, 4, 1_000]) assert.deepEqual(read(text, size), [{ data: 'x' }, { data: '' }])
  })

  it('are written as they are read', () => {
    assert.deepEqual(new SseParser().push(Buffer.from(events.map(sseFrame).join(''))), events)
  })

  it('without an end are refused', () => {
    assert.equal(read(`data: ${'x'.repeat(80)}\n\n`.repeat(50), 16, 100).length, 50)
    assert.throws(() => read(`data: ${'x'.repeat(120)}`, 16, 100), UpstreamFaultError)
    assert.throws(() => read(`data: ${'x'.repeat(60)}\n`.repeat(2), 16, 100), UpstreamFaultError)
    const parser = new SseParser()
    const chunk = Buffer.alloc(1024 * 1024, 'x')
    assert.throws(() => {
      for (let at = 0; at < 10; at += 1) parser.push(chunk)
    }, UpstreamFaultError)
  })
})
