import assert from 'node:assert/strict'
import { buffer } from 'node:stream/consumers'
import sharp, { type Sharp } from 'sharp'
import { inspectContent } from '../../../../core-plugins/attachments/content/inspect-content.ts'
import { readImageSize } from '../../../../core-plugins/attachments/content/image-size.ts'

const plain = () => sharp({ create: { width: 40, height: 20, channels: 3, background: '#123' } })

async function sizeOf(format: 'jpeg' | 'png' | 'webp' | 'gif', picture: Sharp = plain()): Promise<unknown> {
  const { width, height } = readImageSize(`image/${format}`, await picture.toFormat(format).toBuffer()) ?? {}
  return [width, height]
}

/** The size that is known once a file has passed, in pieces of so many bytes. */
async function passedSizeOf(extension: 'png' | 'webp' | 'jpg', bytes: Buffer, pieceBytes: number): Promise<unknown> {
  async function* pieces(): AsyncGenerator<Buffer> {
    for (let at = 0; at < bytes.length; at += pieceBytes)
      yield await Promise.resolve(bytes.subarray(at, at + pieceBytes))
  }
  const inspected = inspectContent(pieces(), extension, [])
  await buffer(inspected.stream)
  const { width, height } = inspected.imageSize() ?? {}
  return [width, height]
}

describe('the size of an image', () => {
  it('is read from its first bytes', async () => {
    for (const format of ['jpeg', 'png', 'webp', 'gif'] as const)
      assert.deepEqual(await sizeOf(format), [40, 20], format)
  })

  it('is read of kinds that are kept and not made into others', async () => {
    const avif = await plain().avif().toBuffer()
    const tiff = await plain().tiff().toBuffer()
    const bmp = Buffer.alloc(54)
    bmp.write('BM')
    bmp.writeUInt32LE(40, 14)
    bmp.writeInt32LE(40, 18)
    bmp.writeInt32LE(-20, 22)
    const icon = Buffer.from([
      0,
      0,
      1,
      0,
      2,
      0,
      ...[16, 16],
      ...Array<number>(14).fill(0),
      ...[0, 32],
      ...Array<number>(14).fill(0),
    ])
    const sizes = Object.entries({ avif, tiff, bmp, 'x-icon': icon }).map(([kind, bytes]) =>
      readImageSize(`image/${kind}`, bytes),
    )
    const size = { width: 40, height: 20 }
    assert.deepEqual(sizes, [size, size, size, { width: 256, height: 32 }])
    const held = plain().withMetadata({ orientation: 6 })
    assert.deepEqual(readImageSize('image/tiff', await held.clone().tiff().toBuffer()), { width: 20, height: 40 })
    const turned = Buffer.concat([avif, Buffer.from('irot\u0001', 'latin1')])
    assert.deepEqual(readImageSize('image/avif', turned), { width: 20, height: 40 })
    for (const [kind, bytes] of Object.entries({ avif, tiff, bmp, 'x-icon': icon }))
      for (let length = 0; length < Math.min(bytes.length, 300); length++)
        readImageSize(`image/${kind}`, bytes.subarray(0, length))
  })

  it('is that of a photograph as it is looked at', async () => {
    const sizes = []
    for (const orientation of [1, 3, 5, 6, 8]) sizes.push(await sizeOf('jpeg', plain().withMetadata({ orientation })))
    assert.deepEqual(sizes, [
      [40, 20],
      [40, 20],
      [20, 40],
      [20, 40],
      [20, 40],
    ])
  })

  it('is that of a PNG or WebP as it is looked at, wherever it says how it is held', async () => {
    for (const format of ['png', 'webp'] as const) {
      for (const [orientation, size] of [[3, [40, 20]] as const, [6, [20, 40]] as const]) {
        const bytes = await plain().withMetadata({ orientation }).toFormat(format).toBuffer()
        assert.deepEqual(await passedSizeOf(format, bytes, bytes.length), size, `${format} ${orientation}`)
        assert.deepEqual(await passedSizeOf(format, bytes, 1), size, `${format} ${orientation} byte by byte`)
      }
    }
  })

  it('is that of a photograph with a long profile and long notes before it, however they are cut', async () => {
    const photograph = await plain().withMetadata({ orientation: 6 }).jpeg().toBuffer()
    const segment = (marker: number, bytes: number): Buffer => {
      const content = Buffer.alloc(2 + bytes, 0x55)
      content.writeUInt16BE(0xff00 | marker, 0)
      content.writeUInt16BE(bytes, 2)
      return content
    }
    const [profile, depthMap] = [segment(0xe2, 65_535), segment(0xe1, 65_000)]
    const parts = [photograph.subarray(0, 2), Buffer.from([0xff]), ...Array<Buffer>(5).fill(profile), depthMap]
    const bytes = Buffer.concat([...parts, photograph.subarray(2)])
    for (const pieceBytes of [bytes.length, 65_536, 1021])
      assert.deepEqual(await passedSizeOf('jpg', bytes, pieceBytes), [20, 40], `pieces of ${pieceBytes}`)
    assert.deepEqual(await passedSizeOf('jpg', photograph, 1), [20, 40])
    const endless = Buffer.concat([
      photograph.subarray(0, 2),
      ...Array<Buffer>(70).fill(profile),
      photograph.subarray(2),
    ])
    assert.deepEqual(await passedSizeOf('jpg', endless, 65_536), [undefined, undefined])
  })

  it('is not that of a PNG or WebP whose notes lead behind their end', async () => {
    for (const [format, mark] of [['png', 'eXIf'] as const, ['webp', 'EXIF'] as const]) {
      const bytes = await plain().withMetadata({ orientation: 6 }).toFormat(format).toBuffer()
      const tiff = bytes.indexOf('II*\0', bytes.indexOf(mark))
      bytes.writeUInt32LE(0x7fffffff, tiff + 4)
      assert.deepEqual(await passedSizeOf(format, bytes, 7), [40, 20])
    }
  })

  it('is not known of bytes that end too soon or lie', async () => {
    const photograph = await plain().withMetadata({ orientation: 6 }).jpeg().toBuffer()
    for (let length = 3; length < 200; length++) readImageSize('image/jpeg', photograph.subarray(0, length))
    assert.equal(readImageSize('image/jpeg', photograph.subarray(0, 40)), undefined)
    const lying = Buffer.from(photograph)
    // Of its directory: that it begins far behind the end.
    lying.writeUInt32LE(0x7fffffff, lying.indexOf('Exif') + 10)
    assert.equal(readImageSize('image/jpeg', lying), undefined)
  })

  it('costs little of a photograph that says thousands of times how it was held', () => {
    const entries = 10_000
    const segment = (at: number): Buffer => {
      const content = Buffer.alloc(18)
      content.writeUInt16BE(0xffe1, 0)
      content.writeUInt16BE(16, 2)
      content.write('Exif\0\0II', 4, 'latin1')
      // From the camera's notes to a directory that all of them share.
      content.writeUInt32LE(2 + 18 * (segments - at) - 12, 14)
      return content
    }
    const segments = 7_000
    const directory = Buffer.alloc(2 + 12 * entries)
    directory.writeUInt16LE(entries, 0)
    const notes = Array.from({ length: segments }, (_, at) => segment(at))
    const head = Buffer.concat([Buffer.from([0xff, 0xd8]), ...notes, directory])
    const before = process.cpuUsage()
    readImageSize('image/jpeg', head)
    const { user } = process.cpuUsage(before)
    assert.ok(user < 150_000, `${user} µs`)
  })
})
