import { between, type Bend, type Random } from './point.ts'

/** Turns, leans and stretches points around the middle of a character, and puts it where it belongs. */
export function placeGlyph(
  { middle, to, scale }: Readonly<Record<'middle' | 'to' | 'scale', readonly [number, number]>>,
  { turn, lean }: { readonly turn: number; readonly lean: number },
): Bend {
  const [cos, sin] = [Math.cos(turn), Math.sin(turn)]
  return ([x, y]) => {
    const dy = (y - middle[1]) * scale[1]
    const dx = (x - middle[0]) * scale[0] - lean * dy
    return [to[0] + dx * cos - dy * sin, to[1] + dx * sin + dy * cos]
  }
}

/** A wave over the whole image, in both directions; strength is in pixels. */
export function randomWave(random: Random, strength: number): Bend {
  const wave = (shortest: number, longest: number): ((at: number) => number) => {
    const [length, start] = [between(random, shortest, longest), between(random, 0, 2 * Math.PI)]
    const height = between(random, 0.6, 1) * strength
    return (at) => height * Math.sin((2 * Math.PI * at) / length + start)
  }
  const [up, aside, fine] = [wave(60, 110), wave(36, 70), wave(24, 34)]
  return ([x, y]) => [x + aside(y) + 0.25 * fine(y + x / 2), y + up(x) + 0.25 * fine(x)]
}
