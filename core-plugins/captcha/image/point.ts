/** A place on the image, in pixels from its upper left corner. */
export type Point = readonly [x: number, y: number]
/** Points that a pen goes through without being lifted. */
export type Stroke = readonly Point[]
/** Moves points. */
export type Bend = (point: Point) => Point
/** A number from 0 up to 1, 1 left out. */
export type Random = () => number

/** A number between two others. */
export function between(random: Random, low: number, high: number): number {
  return low + random() * (high - low)
}
