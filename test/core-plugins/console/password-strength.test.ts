import assert from 'node:assert/strict'
import { describe, it } from 'mocha'
import { checkPassword } from '../../../core-plugins/users/passwords/password-rules.ts'

interface Demands {
  readonly least: number
  readonly complexity: 'none' | 'letters_digits' | 'mixed_case_digits' | 'all_classes'
}
interface Module {
  readonly refusedShare: (demands: Demands) => number
  readonly strengthOf: (
    password: string,
    demands: Demands,
  ) => { readonly share: number; readonly word: string; readonly missing: readonly string[] }
}

const file = new URL('../../../core-plugins/console/web/sign-in/password-strength.ts', import.meta.url).href
const { refusedShare, strengthOf } = (await import(file)) as Module
const passwords = [
  ...['', 'short', 'tulips in the rain', 'Tulips in the rain', 'tulips 4 the rain', 'Tulips 4 the rain'],
  ...[
    'Tulips, 4 the rain',
    'TULIPS, 4 THE RAIN',
    '雨中的郁金香和玫瑰花开了',
    '雨中的郁金香和玫瑰花开了7',
    'Ünïcödé wörds ١٢!',
  ],
]

describe('the meter of a new password', () => {
  it('says of length and kinds of characters what the server says', () => {
    for (const complexity of ['none', 'letters_digits', 'mixed_case_digits', 'all_classes'] as const) {
      for (const password of passwords) {
        const rules = { minLength: 12, complexity, names: [], common: new Set<string>() }
        const refused = checkPassword(password, rules).map(({ rule }) => rule)
        const { word, missing, share } = strengthOf(password, { least: 12, complexity })
        const told = `${complexity}: ${password}`
        assert.equal(word === 'tooShort', refused.includes('length'), told)
        assert.equal(missing.length > 0, refused.includes('complexity'), told)
        const isRefused = refused.some((rule) => rule === 'length' || rule === 'complexity')
        assert.equal(share < refusedShare({ least: 12, complexity }), isRefused, told)
      }
    }
  })

  it('names what is missing', () => {
    const demands = { least: 8, complexity: 'all_classes' } as const
    assert.deepEqual(strengthOf('tulips in rain', demands), {
      share: 56,
      word: 'lacks',
      missing: ['upper', 'digit', 'symbol'],
    })
    assert.equal(strengthOf('Tulips, 4 you and me', demands).word, 'strong')
  })
})
