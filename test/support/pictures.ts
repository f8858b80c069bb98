import { deflateSync, crc32 } from 'node:zlib'
import sharp, { type Sharp } from 'sharp'

/** A picture of one colour beside noise, so that it can neither be packed nor guessed. */
export function picture(width: number, height: number): Sharp {
  return sharp({
    create: { width, height, channels: 3, background: '#446688', noise: { type: 'gaussian', mean: 128, sigma: 30 } },
  })
}

/** A GIF of so many frames of one colour. */
export function movingGif(frames: number, side = 16): Buffer {
  const word = (value: number): number[] => [value & 255, value >> 8]
  const head = [...Buffer.from('GIF89a'), ...word(side), ...word(side), 0x80, 0, 0, 0, 0, 0, 255, 255, 255]
  const control = [0x21, 0xf9, 4, 0, 1, 0, 0, 0]
  const frame = [...control, 0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0]
  return Buffer.concat([Buffer.from(head), ...Array<Buffer>(frames).fill(Buffer.from(frame)), Buffer.from([0x3b])])
}

/** A PNG that says it is of this size, black and white, with so many bytes of pixels, packed. */
export function claimedPng(width: number, height: number, pixelBytes = 5_000_000): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header[8] = 1
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(pixelBytes))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), content])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(content.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}
