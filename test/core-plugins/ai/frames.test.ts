import assert from 'node:assert/strict'
import { FrameCutter, FrameTooLargeError } from '../../../core-plugins/ai/connection/frame-cutter.ts'
import { readFrame, type SentEvent } from '../../../core-plugins/ai/connection/read-frame.ts'

/** Cuts a text into pieces of so many bytes. */
function cut(text: string, size: number, limit?: number): { events: SentEvent[]; passed: Buffer; rest: string } {
  const events: SentEvent[] = []
  const frames: Buffer[] = []
  const cutter = new FrameCutter((frame) => {
    frames.push(frame)
    const event = readFrame(frame)
    if (event) events.push(event)
  }, limit)
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += size) cutter.push(bytes.subarray(at, at + size))
  return { events, passed: Buffer.concat([...frames, cutter.rest]), rest: cutter.rest.toString() }
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
  '',
]
const expected = [{ event: 'delta', data: '{"text":"grüße 你好 🎉"}' }, { data: 'one\ntwo' }]

describe('frames of server-sent events', () => {
  for (const [name, end] of Object.entries({ LF: '\n', CRLF: '\r\n', CR: '\r' })) {
    it(`are the same wherever their bytes are cut, with lines that end with ${name}`, () => {
      const text = lines.join(end)
      for (const size of [1, 2, 3, 5, 7, 1_000]) {
        const { events, passed } = cut(text, size)
        assert.deepEqual(events, expected, `pieces of ${size}`)
        assert.equal(passed.toString(), text)
      }
    })
  }

  it('are no events where they have no data, or no end', () => {
    assert.deepEqual(cut('\uFEFFdata: x\n\nevent: ping\n\nretry: 3\n\ndata\n\ndata: half', 4), {
      events: [{ data: 'x' }, { data: '' }],
      passed: Buffer.from('\uFEFFdata: x\n\nevent: ping\n\nretry: 3\n\ndata\n\ndata: half'),
      rest: 'data: half',
    })
  })

  it('are no larger than allowed', () => {
    assert.equal(cut(`data: ${'x'.repeat(80)}\n\n`.repeat(50), 16, 100).events.length, 50)
    assert.throws(() => cut(`data: ${'x'.repeat(120)}`, 16, 100), FrameTooLargeError)
  })
})
