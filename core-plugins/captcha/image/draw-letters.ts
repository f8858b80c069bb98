import { placeGlyph, randomWave } from './bends.ts'
import { glyphs } from './glyphs.ts'
import type { Line, Size } from './noise.ts'
import { between, type Random, type Stroke } from './point.ts'
import { strokesOf } from './strokes.ts'

// Pixels on either side, so that no letter is bent out of the picture.
const margin = 11

/** How far letters go from how they are printed: each turns by so many radians at most, all are under a wave of so many pixels. */
export interface Disorder {
  readonly turn: number
  readonly wave: number
}

/** The strokes of letters; neighbours touch now and then, so that none can be cut out by a straight line. */
export function drawLetters(
  random: Random,
  { width, height }: Size,
  text: string,
  { turn, wave }: Disorder,
): readonly Line[] {
  const bendAll = randomWave(random, wave)
  const advance = (width - 2 * margin) / text.length
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
        to: [margin + advance * (index + 0.5) + between(random, -1, 1), height / 2 + between(random, -4, 4)],
        scale: [wide, high],
      },
      { turn: between(random, -turn, turn), lean: between(random, -0.25, 0.25) },
    )
    const pen = between(random, 0.085, 0.115) * advance
    return strokes.map((stroke) => ({ stroke: stroke.map((point) => bendAll(bend(point))), width: pen }))
  })
}

function boundsOf(strokes: readonly Stroke[]) {
  const [xs, ys] = ([0, 1] as const).map((axis) => strokes.flat().map((point) => point[axis])) as [number[], number[]]
  return { left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) }
}
