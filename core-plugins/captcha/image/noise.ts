import { between, type Point, type Random, type Stroke } from './point.ts'
import { curve } from './strokes.ts'

/** A line of the pen with its width in pixels. */
export interface Line {
  readonly stroke: Stroke
  readonly width: number
}

/** Pixels. */
export type Size = Readonly<Record<'width' | 'height', number>>

/** Long lines through the letters, as thick as a thin letter. */
export function randomCurves(random: Random, { width, height }: Size, count: number): readonly Line[] {
  return times(count, () => {
    const at = (x: number): Point => [x * width, between(random, 0.05, 0.95) * height]
    const from = at(-0.02)
    const points = [at(between(random, 0.2, 0.45)), at(between(random, 0.55, 0.8)), at(1.02)]
    return { stroke: [from, ...curve(from, points)], width: between(random, 1.3, 2) }
  })
}

/** Short hooks such as parts of letters. */
export function randomHooks(random: Random, { width, height }: Size, count: number): readonly Line[] {
  return times(count, () => {
    const from: Point = [random() * width, random() * height]
    const near = (): Point => [from[0] + between(random, -14, 14), from[1] + between(random, -12, 12)]
    return { stroke: [from, ...curve(from, [near(), near(), near()])], width: between(random, 1, 1.8) }
  })
}

/** Specks. */
export function randomDots(random: Random, { width, height }: Size, count: number): readonly Line[] {
  return times(count, () => {
    const [x, y] = [random() * width, random() * height]
    return { stroke: [[x, y] as const, [x + 0.01, y] as const], width: between(random, 0.8, 2.2) }
  })
}

function times<T>(count: number, make: () => T): readonly T[] {
  return Array.from({ length: count }, make)
}
