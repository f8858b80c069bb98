import type { CaptchaDifficulty } from '../contract.ts'
import { placeGlyph, randomWave } from './bends.ts'
import { glyphs } from './glyphs.ts'
import { randomInk } from './ink.ts'
import { randomCurves, randomDots, randomHooks, type Line } from './noise.ts'
import { between, type Random, type Stroke } from './point.ts'
import { strokesOf } from './strokes.ts'
import { printDrawing } from './print-drawing.ts'

/** Pixels. */
export const imageSize = { width: 160, height: 56 } as const

/** How far a drawing goes: turns in radians, the wave in pixels, the rest counts. */
interface Disorder {
  readonly turn: number
  readonly wave: number
  readonly curves: number
  readonly hooks: number
  readonly dots: number
  readonly cuts: number
}

const disorders: Readonly<Record<CaptchaDifficulty, Disorder>> = {
  easy: { turn: 0.22, wave: 2.2, curves: 1, hooks: 2, dots: 14, cuts: 1 },
  medium: { turn: 0.26, wave: 2.6, curves: 2, hooks: 4, dots: 20, cuts: 1 },
  hard: { turn: 0.28, wave: 2.8, curves: 2, hooks: 5, dots: 26, cuts: 2 },
}

/** Draws a text of the alphabet as SVG: every letter another way, all under one wave, with lines of the same ink through them. */
export function drawCaptcha(text: string, difficulty: CaptchaDifficulty, random: Random): string {
  const disorder = disorders[difficulty]
  const wave = randomWave(random, disorder.wave)
  const lines = [
    ...randomCurves(random, imageSize, disorder.curves),
    ...randomHooks(random, imageSize, disorder.hooks),
    ...randomDots(random, imageSize, disorder.dots),
    ...drawLetters(text, disorder.turn, random).map(({ stroke, width }) => ({ stroke: stroke.map(wave), width })),
  ]
  return printDrawing(
    imageSize,
    randomInk(random),
    shuffled(lines, random),
    randomCurves(random, imageSize, disorder.cuts),
  )
}

/** The strokes of the letters; neighbours touch now and then, so that none can be cut out by a straight line. */
function drawLetters(text: string, turn: number, random: Random): readonly Line[] {
  const { width, height } = imageSize
  const advance = (width - 16) / text.length
  return [...text].flatMap((character, index) => {
    const shapes = glyphs[character] ?? []
    const strokes = strokesOf(shapes[Math.floor(random() * shapes.length)] ?? '')
    const { left, right, top, bottom } = boundsOf(strokes)
    const tall = between(random, 0.58, 0.7) * height * Math.max(0.72, (bottom - top) / 100)
    const high = Math.min(tall / (bottom - top), 0.36)
    const wide = Math.min((advance * between(random, 0.82, 1)) / (right - left), high * 1.25)
    const bend = placeGlyph(
      {
        middle: [(left + right) / 2, (top + bottom) / 2],
        to: [8 + advance * (index + 0.5) + between(random, -1, 1), height / 2 + between(random, -4, 4)],
        scale: [wide, high],
      },
      { turn: between(random, -turn, turn), lean: between(random, -0.25, 0.25) },
    )
    const pen = between(random, 0.085, 0.115) * advance
    return strokes.map((stroke) => ({ stroke: stroke.map(bend), width: pen }))
  })
}

function boundsOf(strokes: readonly Stroke[]) {
  const [xs, ys] = ([0, 1] as const).map((axis) => strokes.flat().map((point) => point[axis])) as [number[], number[]]
  return { left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) }
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
