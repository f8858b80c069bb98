import assert from 'node:assert/strict'
import sharp, { type Metadata } from 'sharp'
import { picture } from '../../../support/pictures.ts'
import type { ImageFormat, ResizeMode } from '../../../../core-plugins/attachments/images/vocabulary.ts'
import { planImage } from '../../../../core-plugins/attachments/images/plan.ts'
import type { ImageSettings } from '../../../../core-plugins/attachments/images/parameters.ts'
import type { SourceKind } from '../../../../core-plugins/attachments/images/source-kind.ts'
import { transform } from '../../../../core-plugins/attachments/images/worker/transform.ts'

async function make(bytes: Buffer, asked: ImageSettings, source: SourceKind = 'jpg'): Promise<Buffer> {
  return transform(bytes, { source, plan: planImage(asked, source, 80), maxPixels: 50_000_000, maxFrames: 60 })
}

const factsOf = async (bytes: Buffer): Promise<Metadata> => sharp(bytes).metadata()
/** Red, green, blue and alpha of a point. */
async function pointOf(bytes: Buffer, left: number, top: number): Promise<readonly number[]> {
  const { data } = await sharp(bytes)
    .ensureAlpha()
    .extract({ left, top, width: 1, height: 1 })
    .raw()
    .toBuffer({ resolveWithObject: true })
  return [...data]
}

async function frames(count: number, width: number, height: number): Promise<Buffer> {
  const colours = Array.from({ length: count }, (_, at) => `rgb(${(at * 40) % 256},${(at * 90) % 256},20)`)
  const images = colours.map((background) => sharp({ create: { width, height, channels: 3, background } }).png())
  const buffers = await Promise.all(images.map((image) => image.toBuffer()))
  return sharp(buffers, { join: { animated: true } })
    .gif({ delay: 100 })
    .toBuffer()
}

describe('a derived image', () => {
  it('comes in every format and mode, in the size asked for', async () => {
    const source = await picture(400, 200).jpeg().toBuffer()
    for (const f of ['jpg', 'png', 'webp', 'gif'] as const satisfies ImageFormat[]) {
      for (const m of ['fit', 'fill', 'crop', 'pad'] as const satisfies ResizeMode[]) {
        const { width, height, format } = await factsOf(await make(source, { w: 90, h: 90, f, m }))
        assert.deepEqual([width, height, format], [90, m === 'fit' ? 45 : 90, f === 'jpg' ? 'jpeg' : f], `${f} ${m}`)
      }
    }
  })

  it('is padded with nothing where a format has nothing, and with white otherwise', async () => {
    const source = await picture(400, 200).jpeg().toBuffer()
    for (const f of ['png', 'webp', 'gif'] as const) {
      assert.equal((await pointOf(await make(source, { w: 90, h: 90, m: 'pad', f }), 45, 2))[3], 0, f)
    }
    assert.deepEqual(await pointOf(await make(source, { w: 90, h: 90, m: 'pad' }), 45, 2), [255, 255, 255, 255])
    const clear = await sharp({ create: { width: 9, height: 9, channels: 4, background: '#00000000' } })
      .png()
      .toBuffer()
    assert.deepEqual(await pointOf(await make(clear, { f: 'jpg' }, 'png'), 4, 4), [255, 255, 255, 255])
  })

  it('stands as the camera was held, and says nothing of camera and place', async () => {
    const exif = { IFD0: { Make: 'Camera' }, IFD3: { GPSLatitude: '51/1 30/1 0/1', GPSLatitudeRef: 'N' } }
    const source = await picture(400, 200).withExif(exif).withMetadata({ orientation: 6 }).jpeg().toBuffer()
    assert.notEqual((await factsOf(source)).exif, undefined)
    for (const f of ['jpg', 'png', 'webp'] as const) {
      const { width, height, exif: kept, orientation, xmp, iptc } = await factsOf(await make(source, { w: 100, f }))
      assert.deepEqual([width, height, kept, orientation, xmp, iptc], [100, 200, ...Array<undefined>(4)], f)
    }
  })

  it('has the colours that were meant, without a profile', async () => {
    const base = sharp({ create: { width: 50, height: 50, channels: 3, background: '#00ff00' } })
    const source = await base.withIccProfile('p3').png().toBuffer()
    assert.notEqual((await factsOf(source)).icc, undefined)
    const made = await make(source, { w: 20 }, 'png')
    assert.equal((await factsOf(made)).icc, undefined)
    const [red = 99, green = 0, blue = 99] = await pointOf(made, 5, 5)
    assert.ok(red < 12 && green > 243 && blue < 12, `${red} ${green} ${blue}`)
  })

  it('moves where its format can and its frames are few, and is the first frame otherwise', async () => {
    const source = await frames(5, 100, 60)
    assert.equal((await factsOf(source)).pages, 5)
    const pagesOf = async (asked: ImageSettings, maxPixels: number): Promise<number | undefined> => {
      const plan = planImage(asked, 'gif', 80)
      return (await factsOf(await transform(source, { source: 'gif', plan, maxPixels, maxFrames: 60 }))).pages
    }
    const enough = 5 * 100 * 60
    assert.deepEqual([await pagesOf({ w: 50 }, enough), await pagesOf({ w: 50, f: 'webp' }, enough)], [5, 5])
    assert.deepEqual(
      [await pagesOf({ w: 50, f: 'png' }, enough), await pagesOf({ w: 50, f: 'jpg' }, enough)],
      [undefined, undefined],
    )
    assert.equal((await pagesOf({ w: 50 }, enough - 1)) ?? 1, 1)
    assert.equal((await pagesOf({ w: 200, h: 120, m: 'fill' }, enough)) ?? 1, 1)
    const made = await make(source, { w: 50, h: 50, m: 'pad' }, 'gif')
    const { width, height, pages } = await factsOf(made)
    assert.deepEqual([width, height, pages], [50, 50, 5])
  })

  it('is smaller at a lower quality, where the format loses anything', async () => {
    const source = await picture(400, 200).jpeg().toBuffer()
    const lengthOf = async (asked: ImageSettings): Promise<number> => (await make(source, asked)).length
    assert.ok((await lengthOf({ q: 20 })) < (await lengthOf({ q: 90 })))
    assert.equal(await lengthOf({ q: 20, f: 'png' }), await lengthOf({ q: 90, f: 'png' }))
  })
})
