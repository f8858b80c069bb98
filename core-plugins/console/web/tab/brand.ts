import { brandShades, type BrandShades } from './brand-shades.ts'

const grounds = ['surface', 'ground', 'raised', 'sunken']
const names = ['accent', 'accent-hover', 'accent-soft', 'on-accent'] as const
/** Whether the page is laid out to be printed. */
export const paper = matchMedia('print')
let shown = ''

/** Colours buttons and links after a brand, in either theme; as the console itself is for none. */
export function showBrand(colour: string): void {
  shown = colour
  applyBrand()
}

/** The shades again: for a theme that was changed, and for paper, which is white. */
export function applyBrand(): void {
  const { style } = document.documentElement
  const found = shadesOf(shown, document.documentElement.dataset['theme'] === 'dark' && !paper.matches)
  for (const name of names) {
    if (found) style.setProperty(`--${name}`, found[name])
    else style.removeProperty(`--${name}`)
  }
}

/** The same for a part of the page, as styles of its element, in the theme that the page has. */
export function brandStyles(colour: string, isDark: boolean): Readonly<Record<string, string>> {
  const found = shadesOf(colour, isDark)
  return found ? Object.fromEntries(names.map((name) => [`--${name}`, found[name]])) : {}
}

function shadesOf(colour: string, isDark: boolean): BrandShades | undefined {
  const own = getComputedStyle(document.documentElement)
  const known = grounds.map((name) => own.getPropertyValue(`--${name}`))
  return brandShades(colour, isDark, known)
}
