import assert from 'node:assert/strict'

import { createFrameReader, encodeFrame, type Frame } from '../../sandbox/host/frames.ts'

const frames: readonly Frame[] = [
  { type: 'ready', id: 0, fields: [] },
  { type: 'call', id: 0xfffffffe, fields: ['', 'grüße €', '{"a":1}'] },
  { type: 'done', id: 7, fields: ['x'.repeat(100_000)] },
]

describe('frames', () => {
  it('come out as they went in, however the bytes are cut', () => {
    const bytes = Buffer.concat(frames.map(encodeFrame))
    for (const size of [1, 3, 1_000, bytes.length]) {
      const read = createFrameReader()
      const out: Frame[] = []
      for (let offset = 0; offset < bytes.length; offset += size)
        out.push(...read(bytes.subarray(offset, offset + size)))
      assert.deepEqual(out, frames, `in pieces of ${size}`)
    }
  })

  it('are refused when they cannot be any', () => {
    const tooLong = Buffer.alloc(4)
    tooLong.writeUInt32LE(0x7fffffff)
    assert.throws(() => createFrameReader()(tooLong), /impossible length/)
    const unknown = encodeFrame({ type: 'ready', id: 0, fields: [] })
    unknown.writeUInt8(250, 4)
    assert.throws(() => createFrameReader()(unknown), /unknown type/)
    const beyond = encodeFrame({ type: 'ready', id: 0, fields: ['abc'] })
    beyond.writeUInt32LE(999, 10)
    assert.throws(() => createFrameReader()(beyond), /beyond its end/)
  })
})
