type Rgb = readonly [number, number, number]

/** The colours of buttons, links and what is chosen, as variables of the page without their dashes. */
export type BrandShades = Readonly<Record<'accent' | 'accent-hover' | 'accent-soft' | 'on-accent', string>>

// As WCAG 2 counts, and a little more, since shades are rounded.
const leastContrast = 4.6
const white: Rgb = [255, 255, 255]
const black: Rgb = [0, 0, 0]
const steps = 50

/**
 * The shades of a colour for a theme, of which each text can be read: the colour itself where that is so on these grounds and on its own
 * soft shade, else one that is darker, or lighter on dark ground. Undefined for what is no colour such as #1a2b3c.
 */
export function brandShades(colour: string, isDark: boolean, grounds: readonly string[]): BrandShades | undefined {
  const brand = rgbOf(colour)
  if (!brand) return undefined
  const known = grounds.map(rgbOf).filter((ground) => ground !== undefined)
  const [ink, paper] = isDark ? [white, black] : [black, white]
  for (let step = 0; step <= steps; step += 1) {
    const accent = mix(brand, ink, step / steps)
    const soft = mix(accent, known[0] ?? paper, isDark ? 0.82 : 0.9)
    const onAccent = isDark ? mix(accent, black, 0.88) : white
    const isReadable = [...known, soft, onAccent].every((ground) => contrastOf(accent, ground) >= leastContrast)
    if (!isReadable && step < steps) continue
    const hover = mix(accent, ink, 0.2)
    return {
      ...{ accent: hex(accent), 'accent-hover': hex(hover) },
      ...{ 'accent-soft': hex(soft), 'on-accent': hex(onAccent) },
    }
  }
  return undefined
}

/** How well one colour is read on another, as WCAG 2 counts: from 1 to 21. */
function contrastOf(one: Rgb, other: Rgb): number {
  const [low = 0, high = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b)
  return (high + 0.05) / (low + 0.05)
}

/** The parts of a colour such as #1a2b3c or #abc; what stands behind them, how much shines through, is left out. */
function rgbOf(text: string): Rgb | undefined {
  const long = text.trim().replace(/^#(.)(.)(.)$/, '#$1$1$2$2$3$3')
  const found = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})/i.exec(long)
  const [red, green, blue] = (found ?? []).slice(1).map((part) => Number.parseInt(part, 16))
  return red === undefined || green === undefined || blue === undefined ? undefined : [red, green, blue]
}

function luminanceOf(colour: Rgb): number {
  const [red = 0, green = 0, blue = 0] = colour.map((part) => {
    const share = part / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function mix(one: Rgb, other: Rgb, share: number): Rgb {
  const part = (at: 0 | 1 | 2): number => Math.round(one[at] * (1 - share) + other[at] * share)
  return [part(0), part(1), part(2)]
}

function hex(colour: Rgb): string {
  return `#${colour.map((part) => part.toString(16).padStart(2, '0')).join('')}`
}
