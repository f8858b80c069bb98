import assert from 'node:assert/strict'
import sharp from 'sharp'
import { claimedPng, movingGif, picture } from '../../../support/pictures.ts'
import { startImageWorld, type ImageWorld, type Put } from './world.ts'

const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>'
const html = '<html><script>alert(1)</script></html>'

describe('hostile bytes that are to become an image', () => {
  let world: ImageWorld
  before(async () => {
    world = await startImageWorld()
  })
  after(() => world[Symbol.asyncDispose]())

  async function comes(bytes: Buffer, put: Put, query = 'w=100'): Promise<unknown> {
    const { status, code } = await world.get(`${await world.put(bytes, put)}?${query}`)
    return code ?? status
  }

  it('are too large by what their header says, and nothing of them is decoded', async () => {
    const bomb = claimedPng(64_250, 64_250)
    assert.ok(bomb.length < 10_000)
    const png = { mimeType: 'image/png' }
    assert.equal(await comes(bomb, png), 4226)
    assert.equal(await comes(bomb, { ...png, width: 64_250, height: 64_250 }), 4226)
    assert.equal(await comes(bomb, { ...png, width: 10, height: 10 }, 'w=9'), 4226)
    assert.equal(await comes(claimedPng(1, 50_000_001), png), 4226)
    const gif = { mimeType: 'image/gif' }
    for (const query of ['w=100', 'w=100&f=webp', 'f=jpg']) {
      assert.equal(await comes(movingGif(10_000), gif, query), 4226, query)
    }
    assert.equal(await comes(movingGif(61), gif), 4226)
    // What the record tells is not looked for in the bytes again.
    assert.equal(await comes(movingGif(1), { ...gif, frames: 61 }), 4226)
    assert.equal(await comes(movingGif(2), { ...gif, frames: 60 }), 200)
    assert.equal(await comes(Buffer.alloc(10), { size: 21 * 1024 * 1024 }), 4226)
  })

  it('are no image where they are cut off, broken or something else', async () => {
    const jpeg = await picture(400, 300).jpeg().toBuffer()
    const png = await picture(400, 300).png().toBuffer()
    const webp = await picture(400, 300).webp().toBuffer()
    const gif = await picture(400, 300).gif().toBuffer()
    const cut: [Buffer, string][] = [
      ...[2, 20, 600, Math.floor(jpeg.length / 2)].map((end): [Buffer, string] => [
        jpeg.subarray(0, end),
        'image/jpeg',
      ]),
      ...[8, 30, Math.floor(png.length / 2)].map((end): [Buffer, string] => [png.subarray(0, end), 'image/png']),
      ...[12, 40, Math.floor(webp.length / 2)].map((end): [Buffer, string] => [webp.subarray(0, end), 'image/webp']),
      ...[6, 20].map((end): [Buffer, string] => [gif.subarray(0, end), 'image/gif']),
      [Buffer.concat([png.subarray(0, 60), Buffer.alloc(png.length - 60, 7)]), 'image/png'],
      [Buffer.from(html), 'image/jpeg'],
      [Buffer.from(svg), 'image/png'],
      [Buffer.concat([Buffer.from('GIF89a'), Buffer.from(html)]), 'image/gif'],
      [Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.from(html)]), 'image/png'],
      [jpeg, 'image/png'],
      [png, 'image/webp'],
      [Buffer.alloc(0), 'image/jpeg'],
    ]
    for (const [bytes, mimeType] of cut) {
      assert.equal(await comes(bytes, { mimeType }), 4225, `${mimeType}, ${bytes.length} bytes`)
    }
    assert.equal(await comes(Buffer.from('%PDF-1.7'), { mimeType: 'application/pdf' }), 4225)
  })

  it('never come out as they went in: what hides behind an image is gone', async () => {
    const jpeg = await picture(40, 30).jpeg().toBuffer()
    const path = await world.put(Buffer.concat([jpeg, Buffer.from(html)]))
    const { status, bytes } = await world.get(`${path}?w=20`)
    assert.deepEqual([status, bytes.includes('script')], [200, false])
  })

  it('are a file to be kept and not to be shown where they are SVG', async () => {
    const path = await world.put(Buffer.from(svg), { mimeType: 'image/svg+xml' })
    const { status, headers } = await world.get(`${path}?w=100&f=png`)
    assert.deepEqual([status, headers['location']], [302, path.replace(/image$/, 'access')])
  })

  it('hold up nobody: a good image is made beside them', async () => {
    const good = await world.put(await picture(400, 300).jpeg().toBuffer())
    const bad = await world.put(claimedPng(64_250, 64_250), { mimeType: 'image/png' })
    const answers = await Promise.all(
      [10, 11, 12, 13].flatMap((w) => [world.get(`${bad}?w=${w}`), world.get(`${good}?w=${w}`)]),
    )
    assert.deepEqual(
      answers.map(({ status, code }) => code ?? status),
      [4226, 200, 4226, 200, 4226, 200, 4226, 200],
    )
    const { width } = await sharp(answers[1]?.bytes).metadata()
    assert.equal(width, 10)
  })
})
