import assert from 'node:assert/strict'
import sharp, { type Sharp } from 'sharp'
import { readImageSize } from '../../../../core-plugins/attachments/content/image-size.ts'

const plain = () => sharp({ create: { width: 40, height: 20, channels: 3, background: '#123' } })

async function sizeOf(format: 'jpeg' | 'png' | 'webp' | 'gif', picture: Sharp = plain()): Promise<unknown> {
  const { width, height } = readImageSize(`image/${format}`, await picture.toFormat(format).toBuffer()) ?? {}
  return [width, height]
}

describe('the size of an image', () => {
  it('is read from its first bytes', async () => {
    for (const format of ['jpeg', 'png', 'webp', 'gif'] as const)
      assert.deepEqual(await sizeOf(format), [40, 20], format)
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

  it('is not known of bytes that end too soon or lie', async () => {
    const photograph = await plain().withMetadata({ orientation: 6 }).jpeg().toBuffer()
    for (let length = 3; length < 200; length++) readImageSize('image/jpeg', photograph.subarray(0, length))
    assert.equal(readImageSize('image/jpeg', photograph.subarray(0, 40)), undefined)
    const lying = Buffer.from(photograph)
    // Of its directory: that it begins far behind the end.
    lying.writeUInt32LE(0x7fffffff, lying.indexOf('Exif') + 10)
    assert.equal(readImageSize('image/jpeg', lying), undefined)
  })
})
