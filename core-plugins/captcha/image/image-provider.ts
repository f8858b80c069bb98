import { randomInt } from 'node:crypto'
import type { CaptchaDifficulty, CaptchaProvider } from '../contract.ts'
import { alphabet } from './glyphs.ts'
import { drawCaptcha, imageSize } from './draw-captcha.ts'
import { DrawingQueue } from './drawing-queue.ts'
import { isAnswer, sealAnswer, type SealedAnswer } from './image-answer.ts'
import { rasterise } from './rasterise.ts'
import { texts } from '../texts/texts.ts'

const lengths: Readonly<Record<CaptchaDifficulty, number>> = { easy: 4, medium: 5, hard: 6 }

/** Makes the provider that is always there: a drawn text to be typed. The key seals what is kept of answers. */
export function createImageProvider(key: Buffer): CaptchaProvider {
  const queue = new DrawingQueue()

  return {
    code: 'image',
    title: texts.of('image'),
    plugin: null,
    oneTry: true,
    isOffered: () => Promise.resolve(true),
    async challenge({ difficulty, ...binding }) {
      const length = lengths[difficulty]
      const text = randomText(length)
      const png = await queue.run(() => rasterise(drawCaptcha(text, difficulty, random)))
      const image = `data:image/png;base64,${png.toString('base64')}`
      return {
        challenge: { type: 'image', image, ...imageSize, length, case_sensitive: false },
        secret: sealAnswer(key, binding, text),
      }
    },
    verify: ({ secret, solution, ...binding }) =>
      // What is kept was made above.
      Promise.resolve({ valid: isAnswer(key, binding, secret as SealedAnswer, solution) }),
  }
}

function randomText(length: number): string {
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('')
}

// Not Math.random: its state can be worked out from what it has drawn.
function random(): number {
  return randomInt(2 ** 32) / 2 ** 32
}
