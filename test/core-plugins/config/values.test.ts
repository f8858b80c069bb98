import assert from 'node:assert/strict'
import { describe, it } from 'mocha'
import type { ConfigGroupDeclaration, ConfigItemDeclaration, ConfigType } from '#kernel'
import { Catalogue } from '../../../core-plugins/config/catalogue/catalogue.ts'
import { groups } from '../../../core-plugins/config/declared/groups.ts'
import { listPublicItems } from '../../../core-plugins/config/public/public-items.ts'
import { hasMeaning } from '../../../core-plugins/config/public/legal/has-meaning.ts'
import { checkValue } from '../../../core-plugins/config/values/check-value.ts'
import { matchesInTime, matchesPattern } from '../../../core-plugins/config/values/matches-pattern.ts'
import { normaliseValue } from '../../../core-plugins/config/values/normalise.ts'
import { refused, valueTable } from '../../support/config-values.ts'
import { countCpuTime } from '../../support/cpu-time.ts'

describe('the normalisation of values', () => {
  for (const [type, pairs] of Object.entries(valueTable)) {
    it(`gives ${type} its form, or refuses`, () => {
      const kept = pairs.map(([given]) => [given, normaliseValue(type as ConfigType, given) ?? orNull(type, given)])
      assert.deepEqual(kept, pairs)
    })
  }

  /** A null that was kept is told from an undefined that was refused. */
  function orNull(type: string, given: unknown): unknown {
    return normaliseValue(type as ConfigType, given) === null ? null : refused
  }
})

describe('the rules of values', () => {
  const name = { default: 'x' }
  const rulesOf = (item: Omit<ConfigItemDeclaration, 'key' | 'name'>, given: unknown): readonly string[] =>
    checkValue({ key: 'k', name, ...item }, given, matchesPattern).faults.map(({ rule }) => rule)

  it('hold what is required against null, empty text, an empty collection and an empty map', () => {
    const given: readonly (readonly [ConfigType, unknown])[] = [
      ['STRING', null],
      ['STRING', ' '],
      ['NUMBER', null],
      ['BOOLEAN', ''],
      ['TAG', []],
      ['TAG', ['']],
      ['JSON', {}],
      ['JSON', '[]'],
      ['SELECT', ''],
      ['PASSWORD', ''],
      ['HTML', '<script>x</script>'],
    ]
    for (const [type, value] of given) {
      assert.deepEqual(rulesOf({ type, required: true }, value), ['required'], `${type} ${JSON.stringify(value)}`)
      assert.deepEqual(rulesOf({ type, rules: { min: 5, min_length: 5, pattern: '^x$' } }, value), [])
    }
    assert.deepEqual(
      [rulesOf({ type: 'NUMBER', required: true }, 0), rulesOf({ type: 'BOOLEAN', required: true }, false)],
      [[], []],
    )
  })

  it('bound numbers, count code points and entries, match patterns, and keep to options', () => {
    const options = [
      { label: name, value: 5 },
      { label: name, value: 'b' },
    ]
    assert.deepEqual(
      [
        rulesOf({ type: 'NUMBER', rules: { min: 1, min_value: 2, max: 4, max_value: 3 } }, 0),
        rulesOf({ type: 'NUMBER', rules: { min: 1, min_value: 2, max: 4, max_value: 3 } }, 5),
        rulesOf({ type: 'STRING', rules: { max_length: 2 } }, '😀😀'),
        rulesOf({ type: 'STRING', rules: { min_length: 3 } }, '😀😀'),
        rulesOf({ type: 'TAG', rules: { max_length: 1 } }, ['a', 'b']),
        rulesOf({ type: 'STRING', rules: { pattern: '^\\p{Lu}$' } }, 'Ä'),
        rulesOf({ type: 'TAG', rules: { pattern: '^[a-z]$' } }, ['a', 'B']),
        rulesOf({ type: 'STRING', rules: { pattern: '^a*$' } }, 'a'.repeat(5000)),
        rulesOf({ type: 'SELECT', options }, 'c'),
        rulesOf({ type: 'SELECT', options, dynamicOptions: true }, 'c'),
        rulesOf({ type: 'MULTI_SELECT', options }, ['b', 'c']),
      ],
      [
        ['min', 'min_value'],
        ['max', 'max_value'],
        [],
        ['min_length'],
        ['max_length'],
        [],
        ['pattern'],
        ['pattern'],
        ['options'],
        [],
        ['options'],
      ],
    )
    assert.deepEqual(checkValue({ key: 'k', name, type: 'SELECT', options }, '5', matchesPattern).value, 5)
  })

  it('stop a third party’s pattern that would run for ever: a value is refused, a default is taken', () => {
    const cpuTime = countCpuTime()
    const text = `${'a'.repeat(60)}!`
    const group = (code: string, given: unknown): ConfigGroupDeclaration => {
      const item = { key: 'k', name, type: 'STRING', default: given, rules: { pattern: '^(a+)+$' } } as const
      return { code, name, sort: 1, scope: 'ADMIN_ONLY', items: [item] }
    }
    const catalogue = new Catalogue()
    catalogue.add('plugin.slow', [group('plugin.slow', text)])
    const item = catalogue.findItem('k', 0)
    assert.ok(item)
    assert.deepEqual([item.default, item.matches('^(a+)+$', Array(50).fill(text))], [text, 'unknown'])
    assert.deepEqual(checkValue(item.declaration, text, item.matches).faults[0]?.rule, 'pattern')
    assert.throws(() => new Catalogue().add('plugin.wrong', [group('plugin.wrong', 'b')]), /breaks its own rules/)
    assert.ok(cpuTime() < 2000)
  })

  it('hold the platform’s own patterns without a clock', () => {
    const items = groups.flatMap((group) => group.items)
    const catalogue = new Catalogue()
    catalogue.add('config', groups)
    for (const { key } of items) assert.equal(catalogue.findItem(key, 0)?.matches, matchesPattern)
    assert.deepEqual([matchesInTime('^a$', ['a', 'b']), matchesPattern('^a$', ['a', 'a'])], ['no', 'yes'])
  })
})

describe('the catalogue', () => {
  it('shows anybody what is declared public, and no password even so', () => {
    const item = { key: 'k', name: { default: 'x' }, type: 'STRING' } as const
    const items: ConfigItemDeclaration[] = [
      { ...item, key: 'shown', public: true },
      { ...item, key: 'own' },
      { ...item, key: 'secret', type: 'PASSWORD', public: true },
    ]
    const catalogue = new Catalogue()
    catalogue.add('probe', [{ code: 'probe', name: item.name, sort: 1, scope: 'ALL_TENANTS', items }])
    const keys = (['ALL_TENANTS', 'ADMIN_ONLY'] as const).map((scope) => listPublicItems(catalogue, scope))
    assert.deepEqual(
      keys.map((found) => found.map(({ key }) => key)),
      [['shown'], []],
    )
  })

  it('speaks both languages, names each key once per scope, and has parents for its children', () => {
    const codes = groups.map(({ code }) => code)
    const keys = groups.flatMap(({ scope, items }) => items.map(({ key }) => `${scope}:${key}`))
    const texts = groups.flatMap((group) => [group.name, ...group.items.map((item) => item.name)])
    assert.deepEqual([new Set(codes).size, new Set(keys).size], [codes.length, keys.length])
    assert.deepEqual(
      groups.filter(({ parent }) => parent !== undefined && !codes.includes(parent)).map(({ parent }) => parent),
      // The storage plugin's, whose group this one stands below.
      ['platform_storage'],
    )
    assert.deepEqual(
      texts.filter((text) => !text['zh-CN'] || !/[\u4e00-\u9fff]|^[A-Z]{2,}$/.test(text['zh-CN'])),
      [],
    )
  })
})

describe('a legal text', () => {
  it('means something when it shows a character or a picture', () => {
    const meaningless = ['', '<p></p>', '<p>&nbsp;&#160;\u200b\ufeff </p><br />', '<a href="https://a.test"></a>']
    const meaningful = ['<p>a</p>', '<img src="https://a.test/x.png" />', '。']
    assert.deepEqual([...meaningless, ...meaningful].map(hasMeaning), [
      ...meaningless.map(() => false),
      ...meaningful.map(() => true),
    ])
  })
})
