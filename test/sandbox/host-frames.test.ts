import assert from 'node:assert/strict'

import { createFrameReader, encodeFrames, type Frame } from '../../sandbox/wire/frames.ts'

const frames: readonly Frame[] = [
  { type: 'ready', id: 0, fields: [] },
  { type: 'call', id: 0xfffffffe, fields: ['', 'grüße €', '{"a":1}', ''] },
  { type: 'log', id: 1, fields: ['a field\u001fwith what separates', 'grüße', '\n'] },
  { type: 'drop', id: 2, fields: ['last'] },
  { type: 'done', id: 7, fields: ['x'.repeat(100_000)] },
]

describe('frames', () => {
  it('come out as they went in, however the bytes are cut', () => {
    const [first, ...rest] = frames
    const bytes = Buffer.concat([...encodeFrames(first ? [first] : []), ...encodeFrames(rest)])
    for (const size of [1, 3, 1_000, bytes.length]) {
      const read = createFrameReader()
      const out: Frame[] = []
      for (let offset = 0; offset < bytes.length; offset += size)
        out.push(...read(bytes.subarray(offset, offset + size)))
      assert.deepEqual(out, frames, `in pieces of ${size}`)
    }
  })

  it('travel in packets of at most 64 kB, however long a message is, and others come in between', () => {
    const long: Frame = { type: 'answer', id: 3, fields: ['1', '1', '€'.repeat(1_000_000)] }
    const packets = Buffer.concat([...encodeFrames([long])])
    const lengths: number[] = []
    for (let at = 0; at < packets.length; at += 4 + (lengths.at(-1) ?? 0))
      lengths.push(packets.readUInt32LE(at) & 0x3fffffff)
    assert.deepEqual([lengths.length, Math.max(...lengths)], [46, 65_536])
    for (const size of [65_536, packets.length]) {
      const read = createFrameReader()
      const out: Frame[] = []
      for (let offset = 0; offset < packets.length; offset += size)
        out.push(...read(packets.subarray(offset, offset + size)))
      assert.deepEqual(out, [long])
    }
    const small: Frame = { type: 'done', id: 4, fields: ['{}'] }
    const [first, ...others] = encodeFrames([long])
    assert.deepEqual(
      createFrameReader()(Buffer.concat([...(first ? [first] : []), ...encodeFrames([small]), ...others])),
      [small, long],
    )
    for (const head of [0xc0000000, 0xc0000001, 0x40000000]) {
      const odd = Buffer.alloc(5)
      odd.writeUInt32LE(head)
      assert.throws(() => createFrameReader()(odd), /a part of a wrong length/)
    }
    const endless = Buffer.alloc(4 + 65_536)
    endless.writeUInt32LE(0xc0000000 + 65_536)
    const read = createFrameReader()
    assert.throws(() => {
      // Of 64 kB each: 64 MB, and one more.
      for (let part = 0; part <= 1_024; part++) read(endless)
    }, /a message of an impossible length/)
  })

  it('are refused when they cannot be any', () => {
    for (const length of [1_048_577, 0x3fffffff]) {
      const tooLong = Buffer.alloc(4)
      tooLong.writeUInt32LE(length)
      assert.throws(() => createFrameReader()(tooLong), /impossible length/)
    }
    const texts = [
      '',
      'done',
      'no\u001f1\u001f0',
      'done\u001fx\u001f0',
      'done\u001f1\u001f2\u001fa',
      'done\u001f1\u001f-1',
      'done\u001f1\u001fjson\u001f{}',
      'done\u001f1\u001fjson\u001f[1]',
      'done\u001f1\u001f1\u001fa\u001fdone',
    ]
    for (const text of texts) {
      const packet = Buffer.alloc(4 + text.length)
      packet.writeUInt32LE(text.length)
      packet.write(text, 4)
      assert.throws(() => createFrameReader()(packet), /something else than frames/, text)
    }
    const json = 'done\u001f1\u001fjson\u001f{'
    const notJson = Buffer.from(`    ${json}`)
    notJson.writeUInt32LE(json.length)
    assert.throws(() => createFrameReader()(notJson), SyntaxError)
  })
})
