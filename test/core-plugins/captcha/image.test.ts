import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import sharp from 'sharp'
import { CaptchaOverloadedError } from '../../../core-plugins/captcha/errors.ts'
import { drawCaptcha } from '../../../core-plugins/captcha/image/draw-captcha.ts'
import { drawLetters } from '../../../core-plugins/captcha/image/draw-letters.ts'
import { DrawingQueue } from '../../../core-plugins/captcha/image/drawing-queue.ts'
import { alphabet } from '../../../core-plugins/captcha/image/glyphs.ts'
import { isAnswer, sealAnswer } from '../../../core-plugins/captcha/image/image-answer.ts'
import { randomInk } from '../../../core-plugins/captcha/image/ink.ts'
import { rasterise } from '../../../core-plugins/captcha/image/rasterise.ts'

const bound = { tenantId: 5, endpoint: 'user', action: 'login' } as const
const key = randomBytes(32)
const calm = { turn: 0, wave: 0 }

/** Numbers that look random and are the same for the same seed (Park and Miller's generator). */
function seeded(seed: number): () => number {
  let state = seed
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647
}

describe('a drawn captcha', () => {
  it('has letters and digits that are not taken for one another', () => {
    assert.equal(alphabet.join(''), '23456789AEHKLMNPRTWXY')
  })

  for (const [difficulty, text] of [
    ['easy', '2A3E'],
    ['medium', 'MWX8Y'],
    ['hard', 'MWMWMW'],
  ] as const) {
    it(`that is ${difficulty} is a small PNG of 160 by 56 points with nothing else in it`, async () => {
      const png = await rasterise(drawCaptcha(text, difficulty, seeded(7)))
      const { format, width, height, exif, iptc, xmp, comments } = await sharp(png).metadata()
      assert.deepEqual({ format, width, height }, { format: 'png', width: 160, height: 56 })
      assert.deepEqual(
        { exif, iptc, xmp, comments },
        { exif: undefined, iptc: undefined, xmp: undefined, comments: undefined },
      )
      assert.ok(png.length < 12_000, `${png.length} bytes`)
      assert.deepEqual(
        chunksOf(png).filter((name) => /^[a-z]?(EXt|TXt|XIf)/.test(name)),
        [],
      )
    })
  }

  it('says nothing of its text in words', () => {
    const svg = drawCaptcha('2A3E', 'easy', seeded(7))
    assert.doesNotMatch(svg, /<text|<title|<desc|font|2A3E/i)
  })

  it('shows the text: another one looks different, drawn with the same luck', async () => {
    const [first, second] = await Promise.all(
      ['MMMMM', 'NNNNN'].map((text) => rasterise(drawCaptcha(text, 'medium', seeded(7)))),
    )
    assert.ok(first && second && (await differing(first, second)) > 300)
  })

  it('looks different each time', async () => {
    const [first, second] = await Promise.all(
      [7, 8].map((seed) => rasterise(drawCaptcha('MMMMM', 'medium', seeded(seed)))),
    )
    assert.ok(first && second && (await differing(first, second)) > 1000)
  })

  it('has every letter in the picture', () => {
    const size = { width: 160, height: 56 }
    for (let seed = 1; seed <= 300; seed++) {
      const lines = drawLetters(seeded(seed), size, 'MWY7P9', { turn: 0.28, wave: 2.8 })
      const places = lines.flatMap(({ stroke }) => stroke)
      assert.ok(
        places.every(([x, y]) => x > 0 && x < 160 && y > 0 && y < 56),
        `seed ${seed}`,
      )
    }
  })

  it('has shapes for every letter, none like another', () => {
    const drawn = alphabet.map((letter) =>
      JSON.stringify(drawLetters(seeded(7), { width: 160, height: 56 }, letter, calm)),
    )
    assert.equal(new Set(drawn).size, alphabet.length)
    assert.ok(drawn.every((lines) => lines !== '[]'))
  })

  it('has ink that stands out from the paper as text has to, 4.5 to 1', () => {
    for (let seed = 1; seed <= 500; seed++) {
      const { paper, ink } = randomInk(seeded(seed))
      for (const one of paper) for (const other of ink) assert.ok(contrast(one, other) >= 4.5, `${one} on ${other}`)
    }
  })

  it('is drawn two at a time; too many are refused', async () => {
    const queue = new DrawingQueue()
    const running: PromiseWithResolvers<void>[] = []
    const draw = (): Promise<void> => {
      const work = Promise.withResolvers<void>()
      running.push(work)
      return work.promise
    }
    const drawn = Array.from({ length: 66 }, () => queue.run(draw))
    assert.equal(running.length, 2)
    await assert.rejects(queue.run(draw), CaptchaOverloadedError)
    for (let done = 0; done < 66; done++) {
      running[done]?.resolve()
      await drawn[done]
    }
    assert.equal(running.length, 66)
    const after = queue.run(() => Promise.resolve('drawn'))
    assert.equal(await after, 'drawn')
  })
})

describe('the answer to a drawn captcha', () => {
  const sealed = sealAnswer(key, bound, 'MWX8Y')

  it('is right in either case, with spaces around', () => {
    for (const text of ['MWX8Y', 'mwx8y', ' MwX8y ']) assert.ok(isAnswer(key, bound, sealed, text), text)
  })

  it('is wrong otherwise', () => {
    for (const text of ['', 'MWX8', 'MWX8YY', 'MW X8Y', 'ＭWX8Y', 'A'.repeat(8000)]) {
      assert.equal(isAnswer(key, bound, sealed, text), false, text)
    }
  })

  it('is right for what it is sealed for, under the key it is sealed with', () => {
    const others = [{ tenantId: 7 }, { endpoint: 'tenant' }, { action: 'register' }] as const
    for (const other of others) assert.equal(isAnswer(key, { ...bound, ...other }, sealed, 'MWX8Y'), false)
    assert.equal(isAnswer(randomBytes(32), bound, sealed, 'MWX8Y'), false)
  })

  it('is sealed differently each time, and cannot be read', () => {
    const again = sealAnswer(key, bound, 'MWX8Y')
    assert.notEqual(again.mac, sealed.mac)
    assert.doesNotMatch(JSON.stringify(again), /MWX8Y/i)
  })
})

function chunksOf(png: Buffer): readonly string[] {
  const names: string[] = []
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at)) names.push(png.toString('latin1', at + 4, at + 8))
  return names
}

async function differing(one: Buffer, other: Buffer): Promise<number> {
  const [a, b] = await Promise.all([one, other].map((png) => sharp(png).greyscale().raw().toBuffer()))
  return [...(a ?? [])].filter((value, at) => Math.abs(value - (b?.[at] ?? 0)) > 60).length
}

/** The contrast of two #rrggbb colours by WCAG 2.2. */
function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [one, other].map(luminance).sort((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

function luminance(colour: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return value <= 0.040_45 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}
