import assert from 'node:assert/strict'
import { AppError } from '#kernel'
import { decide, type ImageRules, type ImageSource } from '../../../../core-plugins/attachments/images/decision.ts'
import type { ImageParameters } from '../../../../core-plugins/attachments/images/parameters.ts'
import { presetsOf } from '../../../../core-plugins/attachments/images/presets.ts'

const rules: ImageRules = {
  isEnabled: true,
  presets: presetsOf({}),
  quality: 80,
  maxBytes: 1000,
  maxPixels: 1_000_000,
  maxFrames: 60,
}
const photo: ImageSource = { mimeType: 'image/jpeg', size: 1000, width: 400, height: 300, frames: null }

function come(asked: ImageParameters, source: Partial<ImageSource> = {}, more: Partial<ImageRules> = {}): unknown {
  try {
    const decision = decide(asked, { ...photo, ...source }, { ...rules, ...more })
    return decision.kind === 'original' ? `original${decision.isShown ? '' : ', as a file'}` : decision.plan.format
  } catch (error) {
    return error instanceof AppError ? error.code : error
  }
}

describe('what a request for an image comes to', () => {
  it('is the file itself while images are not made, whatever it is', () => {
    assert.equal(come({ w: 10 }, {}, { isEnabled: false }), 'original')
    assert.equal(come({ w: 10 }, { mimeType: 'application/pdf' }, { isEnabled: false }), 'original, as a file')
    assert.equal(come({ w: 10 }, { size: 9999 }, { isEnabled: false }), 'original')
  })

  it('is the file itself where nothing is to be done', () => {
    const nothing: ImageParameters[] = [{}, { w: 400 }, { h: 300 }, { w: 400, h: 300, m: 'crop' }, { f: 'jpg' }]
    const more: ImageParameters[] = [{ m: 'pad' }, { w: 4096 }, { p: 'preview' }, { w: 400, f: 'jpg' }]
    for (const asked of [...nothing, ...more]) assert.equal(come(asked), 'original', JSON.stringify(asked))
    assert.equal(come({}, { mimeType: 'application/pdf' }), 'original, as a file')
    assert.equal(come({}, { size: 9999 }), 'original')
  })

  it('is an image where size, format or quality are to be another', () => {
    const made: ImageParameters[] = [{ w: 399 }, { q: 80 }, { w: 400, q: 80 }, { w: 401, m: 'fill' }, { p: 'thumb' }]
    for (const asked of made) assert.equal(come(asked), 'jpg', JSON.stringify(asked))
    assert.equal(come({ f: 'webp' }), 'webp')
    assert.equal(come({ w: 10 }, { mimeType: 'image/tiff' }), 'webp')
    assert.equal(come({ w: 4096 }, { width: null, height: null }), 'jpg')
  })

  it('is the file for SVG, and a refusal for what is no raster image', () => {
    assert.equal(come({ w: 10 }, { mimeType: 'image/svg+xml' }), 'original, as a file')
    for (const mimeType of ['application/pdf', 'text/html', 'image/heic', 'constructor']) {
      assert.equal(come({ w: 10 }, { mimeType }), 4225, mimeType)
    }
  })

  it('is a refusal above the limits and not at them', () => {
    assert.equal(come({ w: 10 }, { size: 1001 }), 4226)
    assert.equal(come({ w: 10 }, { width: 1000, height: 1000 }), 'jpg')
    assert.equal(come({ w: 10 }, { width: 1001, height: 1000 }), 4226)
  })
})
