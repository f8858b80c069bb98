import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'mocha'

type Shades = Readonly<Record<'accent' | 'accent-hover' | 'accent-soft' | 'on-accent', string>>
interface Module {
  readonly brandShades: (colour: string, isDark: boolean, grounds: readonly string[]) => Shades | undefined
}

const file = new URL('../../../core-plugins/console/web/tab/brand-shades.ts', import.meta.url).href
const { brandShades } = (await import(file)) as Module

const styles = readFileSync(new URL('../../../core-plugins/console/web/ui/styles.css', import.meta.url), 'utf8')
const names = ['surface', 'ground', 'raised', 'sunken']

/** The grounds of a theme, as the styles of the console have them. */
function groundsOf(isDark: boolean): readonly string[] {
  const [, text = ''] = (isDark ? /\[data-theme='dark'\] \{([^}]*)/ : /:root \{([^}]*)/).exec(styles) ?? []
  return names.map((name) => new RegExp(`--${name}: (#[0-9a-f]{6});`).exec(text)?.[1] ?? assert.fail(name))
}

/** The contrast of two colours, as WCAG 2 counts. */
function contrastOf(one: string, other: string): number {
  const luminances = [one, other].map((colour) => {
    const linear = [1, 3, 5].map((at) => {
      const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
    })
    return [0.2126, 0.7152, 0.0722].reduce((sum, weight, at) => sum + weight * (linear[at] ?? 0), 0.05)
  })
  return Math.max(...luminances) / Math.min(...luminances)
}

describe('the shades of a brand', () => {
  it('can be read on every ground of both themes, whatever the colour', () => {
    const parts = ['00', '33', '80', 'c8', 'ff']
    const colours = parts.flatMap((red) => parts.flatMap((green) => parts.map((blue) => `#${red}${green}${blue}`)))
    for (const isDark of [false, true]) {
      const grounds = groundsOf(isDark)
      for (const colour of colours) {
        const shades = brandShades(colour, isDark, grounds) ?? assert.fail(colour)
        const pairs = [
          ...[...grounds, shades['accent-soft']].map((ground) => [shades.accent, ground] as const),
          ...[shades.accent, shades['accent-hover']].map((ground) => [shades['on-accent'], ground] as const),
        ]
        for (const [one, other] of pairs) assert.ok(contrastOf(one, other) >= 4.5, `${colour} ${one} on ${other}`)
      }
    }
  })

  it('are the colour itself where that can be read, in its short form too', () => {
    assert.equal(brandShades('#7a1f5c', false, groundsOf(false))?.accent, '#7a1f5c')
    assert.equal(brandShades('#037', false, groundsOf(false))?.accent, '#003377')
    assert.notEqual(brandShades('#ffe600', false, groundsOf(false))?.accent, '#ffe600')
    assert.equal(brandShades('#ffe600', true, groundsOf(true))?.accent, '#ffe600')
  })

  it('are none for what is no colour', () => {
    assert.deepEqual(
      ['', 'red', '#12'].map((text) => brandShades(text, false, [])),
      [undefined, undefined, undefined],
    )
  })
})
