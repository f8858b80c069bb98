import assert from 'node:assert/strict'
import sharp from 'sharp'
import { FrameCounter } from '../../../../core-plugins/attachments/content/frame-counter.ts'
import { movingGif } from '../../../support/pictures.ts'

/** What is counted of a file that comes in pieces of so many bytes. */
function framesOf(mimeType: string, bytes: Buffer, pieceBytes: number): number | undefined {
  const counter = FrameCounter.for(mimeType)
  for (let at = 0; at < bytes.length; at += pieceBytes) counter?.push(bytes.subarray(at, at + pieceBytes))
  return counter?.frames
}

/** An animation as an encoder writes it, whose pictures differ. */
async function animation(format: 'gif' | 'webp', frames: number): Promise<Buffer> {
  const size = 40
  const pixels = Buffer.alloc(size * size * frames * 3)
  for (let frame = 0; frame < frames; frame++) {
    pixels.fill(frame * 30 + 1, frame * size * size * 3, (frame * size + frame + 5) * size * 3)
  }
  const raw = { width: size, height: size * frames, channels: 3, pageHeight: size } as const
  return sharp(pixels, { raw }).toFormat(format, { loop: 0 }).toBuffer()
}

describe('the pictures of an animation', () => {
  it('are counted while its bytes pass, however they are cut', async () => {
    for (const format of ['gif', 'webp'] as const) {
      for (const frames of [2, 7]) {
        const bytes = await animation(format, frames)
        assert.equal((await sharp(bytes).metadata()).pages, frames)
        for (const piece of [1, 7, 1000, bytes.length])
          assert.equal(framesOf(`image/${format}`, bytes, piece), frames, `${format} in pieces of ${piece}`)
      }
    }
    assert.equal(framesOf('image/gif', movingGif(10_000), 64 * 1024), 10_000)
  })

  it('are not counted of what does not move, is cut off or is something else', async () => {
    const still = sharp({ create: { width: 40, height: 20, channels: 3, background: '#123' } })
    assert.equal(framesOf('image/webp', await still.webp().toBuffer(), 100), undefined)
    assert.equal(framesOf('image/gif', await still.gif().toBuffer(), 100), 1)
    assert.equal(framesOf('image/png', await still.png().toBuffer(), 100), undefined)
    assert.equal(framesOf('image/gif', Buffer.from('GIF89a'), 1), undefined)
    assert.equal(framesOf('image/gif', Buffer.alloc(1000), 100), undefined)
    assert.equal(framesOf('image/webp', Buffer.alloc(1000, 0xff), 100), undefined)
    assert.equal(framesOf('image/gif', movingGif(5).subarray(0, 50), 10), 1)
  })
})
