import { between, type Random } from './point.ts'

/** The colours of an image: paper and ink that a person tells apart. */
export interface Ink {
  readonly paper: readonly [string, string]
  /** From left to right; every line has it, so that none is told from a letter by its colour. */
  readonly ink: readonly [string, string]
}

/** Colours of an image, dark on light or light on dark; the contrast is at least 4.5 to 1, as WCAG 2.2 asks of text. */
export function randomInk(random: Random): Ink {
  const hue = random() * 360
  const other = hue + between(random, 60, 300)
  const isDark = random() < 0.3
  const dark = (at: number): string => colour(at, between(random, 45, 80), between(random, 16, 24))
  const light = (at: number): string => colour(at, between(random, 35, 70), between(random, 88, 94))
  const [paper, ink] = isDark ? [dark, light] : [light, dark]
  return { paper: [paper(hue), paper(hue + 30)], ink: [ink(other), ink(other + between(random, 20, 50))] }
}

/** HSL (degrees, per cent, per cent) as the #rrggbb that every renderer reads; the formula is that of CSS Color 4. */
function colour(hue: number, saturation: number, lightness: number): string {
  const [s, l] = [saturation / 100, lightness / 100]
  const channel = (shift: number): string => {
    const k = (shift + (((hue % 360) + 360) % 360) / 30) % 12
    const value = l - s * Math.min(l, 1 - l) * Math.max(-1, Math.min(k - 3, 9 - k, 1))
    return Math.round(value * 255)
      .toString(16)
      .padStart(2, '0')
  }
  return `#${channel(0)}${channel(8)}${channel(4)}`
}
