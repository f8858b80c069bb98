import type { CaptchaDifficulty } from '../contract.ts'
import { drawLetters, type Disorder } from './draw-letters.ts'
import { randomInk } from './ink.ts'
import { randomCurves, randomDots, randomHooks } from './noise.ts'
import type { Random } from './point.ts'
import { printDrawing } from './print-drawing.ts'

/** Pixels. */
export const imageSize = { width: 160, height: 56 } as const

/** What is drawn beside the letters, and through them: so many of each. */
interface Noise {
  readonly curves: number
  readonly hooks: number
  readonly dots: number
  readonly cuts: number
}

const disorders: Readonly<Record<CaptchaDifficulty, Disorder & Noise>> = {
  easy: { turn: 0.22, wave: 2.2, curves: 1, hooks: 2, dots: 14, cuts: 1 },
  medium: { turn: 0.26, wave: 2.6, curves: 2, hooks: 4, dots: 20, cuts: 1 },
  hard: { turn: 0.28, wave: 2.8, curves: 2, hooks: 5, dots: 26, cuts: 2 },
}

/** Draws a text of the alphabet as SVG: every letter another way, all under one wave, with lines of the same ink through them. */
export function drawCaptcha(text: string, difficulty: CaptchaDifficulty, random: Random): string {
  const disorder = disorders[difficulty]
  const lines = [
    ...randomCurves(random, imageSize, disorder.curves),
    ...randomHooks(random, imageSize, disorder.hooks),
    ...randomDots(random, imageSize, disorder.dots),
    ...drawLetters(random, imageSize, text, disorder),
  ]
  return printDrawing(
    imageSize,
    randomInk(random),
    shuffled(lines, random),
    randomCurves(random, imageSize, disorder.cuts),
  )
}

/** The same things in another order, by Fisher and Yates. */
function shuffled<T>(things: readonly T[], random: Random): readonly T[] {
  const list = [...things]
  for (let last = list.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1))
    ;[list[last], list[other]] = [list[other] as T, list[last] as T]
  }
  return list
}
