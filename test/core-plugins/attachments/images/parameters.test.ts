import assert from 'node:assert/strict'
import { AppError } from '#kernel'
import { derivedKey } from '../../../../core-plugins/attachments/images/derived-key.ts'
import { readParameters } from '../../../../core-plugins/attachments/images/parameters.ts'
import { outputSize, planImage, withPreset } from '../../../../core-plugins/attachments/images/plan.ts'
import { presetsOf } from '../../../../core-plugins/attachments/images/presets.ts'

const limits = { maxPixels: 50_000_000, maxFrames: 60 }

function refusedFields(query: Record<string, unknown>): unknown {
  try {
    return readParameters(query, 'en')
  } catch (error) {
    assert.ok(error instanceof AppError)
    return [error.code, error.errors?.map(({ field }) => field)]
  }
}

describe('the parameters of an image', () => {
  it('are taken at their bounds', () => {
    assert.deepEqual(readParameters({ w: '1', h: '4096', q: '1' }, 'en'), { w: 1, h: 4096, q: 1 })
    assert.deepEqual(readParameters({ w: '4096', h: '1', q: '100' }, 'en'), { w: 4096, h: 1, q: 100 })
    for (const f of ['jpg', 'png', 'webp', 'gif']) assert.deepEqual(readParameters({ f }, 'en'), { f })
    for (const m of ['fit', 'fill', 'crop', 'pad']) assert.deepEqual(readParameters({ m }, 'en'), { m })
    for (const p of ['thumb', 'avatar', 'preview', 'banner', 'small', 'medium', 'large']) {
      assert.deepEqual(readParameters({ p }, 'en'), { p })
    }
    assert.deepEqual(readParameters({ token: 'x', exp: 1, other: 'y' }, 'en'), {})
  })

  for (const name of ['w', 'h']) {
    for (const value of ['0', '4097', '-1', '1.5', '1e2', '0x10', '01', ' 5', '', 'abc', '99999999999', ['1', '2']]) {
      it(`refuse ${name}=${JSON.stringify(value)}`, () => {
        assert.deepEqual(refusedFields({ [name]: value }), [4224, [name]])
      })
    }
  }

  it('refuse every other value, all in one answer', () => {
    for (const q of ['0', '101', '-1', '80.5', '']) assert.deepEqual(refusedFields({ q }), [4224, ['q']])
    for (const f of ['jpeg', 'JPG', 'avif', 'svg', '']) assert.deepEqual(refusedFields({ f }), [4224, ['f']])
    for (const m of ['cover', 'FIT', '']) assert.deepEqual(refusedFields({ m }), [4224, ['m']])
    for (const p of ['huge', 'constructor', '__proto__', '']) assert.deepEqual(refusedFields({ p }), [4224, ['p']])
    const all = { w: '0', h: 'x', q: '101', f: 'bmp', m: 'x', p: 'x' }
    assert.deepEqual(refusedFields(all), [4224, ['w', 'h', 'q', 'f', 'm', 'p']])
  })
})

describe('presets of images', () => {
  it('stand for what the contract says, and what is said beside them wins', () => {
    const presets = presetsOf({})
    assert.deepEqual(presets, {
      thumb: { w: 200, h: 200, m: 'crop', q: 75 },
      avatar: { w: 128, h: 128, m: 'crop' },
      preview: { w: 800, h: 800, m: 'fit' },
      banner: { w: 1200, h: 400, m: 'crop' },
      small: { w: 320, h: 320, m: 'fit' },
      medium: { w: 640, h: 640, m: 'fit' },
      large: { w: 1280, h: 1280, m: 'fit' },
    })
    assert.deepEqual(withPreset({ p: 'thumb', w: 50, f: 'png' }, presets), {
      w: 50,
      h: 200,
      m: 'crop',
      q: 75,
      f: 'png',
    })
  })

  it('are changed by configuration, which adds none and breaks none', () => {
    const presets = presetsOf({ thumb: { w: 10, h: 20 }, avatar: { w: 0 }, small: 7, extra: { w: 5 } })
    assert.deepEqual(
      [presets.thumb, presets.avatar],
      [
        { w: 10, h: 20 },
        { w: 128, h: 128, m: 'crop' },
      ],
    )
    assert.deepEqual(Object.keys(presets).includes('extra'), false)
    assert.deepEqual([presetsOf(null), presetsOf('x')], [presetsOf({}), presetsOf({})])
  })
})

describe('the plan of an image', () => {
  const source = { width: 400, height: 200 }
  const sizeOf = (asked: object): unknown => outputSize(planImage(asked, 'jpg', 80), source)

  it('has the size that its mode gives', () => {
    assert.deepEqual(sizeOf({ w: 100, h: 100 }), { width: 100, height: 50 })
    assert.deepEqual(sizeOf({ w: 1000, h: 1000 }), source)
    assert.deepEqual(sizeOf({ w: 1 }), { width: 1, height: 1 })
    for (const m of ['fill', 'crop', 'pad']) assert.deepEqual(sizeOf({ w: 90, h: 90, m }), { width: 90, height: 90 })
    for (const m of ['fill', 'crop', 'pad']) assert.deepEqual(sizeOf({ w: 800, m }), { width: 800, height: 400 })
    assert.deepEqual(sizeOf({ h: 4096, m: 'crop' }), { width: 4096, height: 4096 })
    assert.deepEqual(outputSize(planImage({ q: 5 }, 'jpg', 80), { width: 8192, height: 10 }), {
      width: 4096,
      height: 5,
    })
  })

  it('is one for all ways to say the same, and so is its key', () => {
    const keyOf = (asked: object, more = limits): string =>
      derivedKey('ab'.repeat(32), planImage(asked, 'jpg', 80), more)
    const equal = [{ w: 9 }, { w: 9, m: 'fit' }, { w: 9, q: 80 }, { w: 9, f: 'jpg' }]
    assert.equal(new Set(equal.map((asked) => keyOf(asked))).size, 1)
    assert.equal(keyOf({ w: 9, m: 'fill' }), keyOf({ w: 9, m: 'crop' }))
    assert.equal(keyOf({ w: 9, f: 'png', q: 5 }), keyOf({ w: 9, f: 'png', q: 95 }))
    const others = [{ w: 9 }, { h: 9 }, { w: 9, h: 9 }, { w: 9, q: 81 }, { w: 9, f: 'webp' }, { w: 9, h: 9, m: 'pad' }]
    assert.equal(new Set(others.map((asked) => keyOf(asked))).size, others.length)
    assert.notEqual(keyOf({ w: 9 }), keyOf({ w: 9 }, { ...limits, maxPixels: 1 }))
    assert.match(keyOf({ w: 9 }), /^[0-9a-f]{64}$/)
  })
})
