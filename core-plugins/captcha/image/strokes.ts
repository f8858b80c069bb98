import type { Point, Stroke } from './point.ts'

const stepsPerCurve = 12
const stepsPerLine = 6

/** The strokes of a shape as points close enough together to be bent. Reads M, L and C with absolute numbers. */
export function strokesOf(shape: string): readonly Stroke[] {
  const strokes: Point[][] = []
  for (const [, command = '', numbers = ''] of shape.matchAll(/([MLC])([^MLC]*)/g)) {
    const points = pointsOf(numbers)
    const stroke = strokes.at(-1)
    const last = stroke?.at(-1)
    if (command === 'M' || !stroke || !last) strokes.push([...points])
    else if (command === 'L') for (const point of points) stroke.push(...line(stroke.at(-1) ?? last, point))
    else stroke.push(...curve(last, points))
  }
  return strokes
}

/** A smooth line from a point, with two points that draw it and one where it ends; without the first. */
export function curve(from: Point, [first = from, second = from, end = from]: readonly Point[]): Stroke {
  return steps(stepsPerCurve).map((t) => {
    const [a, b, c, d] = [(1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t ** 2 * (1 - t), t ** 3]
    const at = (axis: 0 | 1): number => a * from[axis] + b * first[axis] + c * second[axis] + d * end[axis]
    return [at(0), at(1)]
  })
}

function line(from: Point, to: Point): Stroke {
  return steps(stepsPerLine).map((t) => [from[0] + t * (to[0] - from[0]), from[1] + t * (to[1] - from[1])])
}

function steps(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => (index + 1) / count)
}

function pointsOf(numbers: string): readonly Point[] {
  const values = numbers.trim().split(/\s+/).map(Number)
  return Array.from({ length: values.length / 2 }, (_, index) => [values[2 * index] ?? 0, values[2 * index + 1] ?? 0])
}
