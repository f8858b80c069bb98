import assert from 'node:assert/strict'
import { sseFrame, SseParser } from '../../../../core-plugins/ai/wire/sse.ts'
import { UpstreamFaultError } from '../../../../core-plugins/ai/wire/vendor.ts'

describe('Server-Sent Events of a vendor', () => {
  const stream =
    ': hello\r\nevent: a\r\ndata: {"x":1}\r\n\r\ndata: one\ndata: two\n\ndata:three\r\rid: 7\n\ndata: [DONE]\n\n'
  const events = [{ event: 'a', data: '{"x":1}' }, { data: 'one\ntwo' }, { data: 'three' }, { data: '[DONE]' }]

  it('are cut alike wherever the chunks end, within a character too', () => {
    const bytes = Buffer.from(stream.replace('two', 'zwö'))
    const wanted = events.map((event) => ({ ...event, data: event.data.replace('two', 'zwö') }))
    for (const size of [1, 2, 3, 7, bytes.length]) {
      const parser = new SseParser()
      const seen = []
      for (let at = 0; at < bytes.length; at += size) seen.push(...parser.push(bytes.subarray(at, at + size)))
      assert.deepEqual(seen, wanted, `chunks of ${size}`)
    }
  })

  it('are written as they are read', () => {
    const seen = new SseParser().push(Buffer.from(events.map(sseFrame).join('')))
    assert.deepEqual(seen, events)
  })

  it('without an end are refused', () => {
    const parser = new SseParser()
    const chunk = Buffer.alloc(1024 * 1024, 'x')
    assert.throws(() => {
      for (let at = 0; at < 10; at += 1) parser.push(chunk)
    }, UpstreamFaultError)
  })
})
