import assert from 'node:assert/strict'
import { declaredErrors, placeholdersOf, textFiles } from '../support/texts.ts'

/** The codes of contract-platform section 2 and of ruling 32, and those of statuses outside the families, which are the status times ten. */
const known: ReadonlySet<number> = new Set([
  ...range(4000, 4009),
  ...range(4010, 4019),
  ...range(4030, 4039),
  ...range(4040, 4049),
  ...range(4090, 4099),
  ...range(4220, 4229),
  ...range(4290, 4299),
  ...range(5000, 5009),
  ...range(5020, 5029),
  ...range(5030, 5036),
  ...[4050, 4060, 4100, 4120, 4130, 4150, 4160, 4170, 4600, 5010, 5040, 5070],
])

describe('the errors of the whole platform', () => {
  it('are declared once each', async () => {
    const owners = Map.groupBy(await declaredErrors(), ({ code, reason }) => `${code} ${reason}`)
    const twice = [...owners].flatMap(([pair, list]) =>
      list.length > 1 ? [[pair, ...list.map(({ file }) => file)]] : [],
    )
    assert.deepEqual(twice, [])
  })

  it('have codes of the table', async () => {
    const unknown = (await declaredErrors()).filter(({ code }) => !known.has(code))
    assert.deepEqual(unknown, [])
  })

  it('have slugs that never need escaping', async () => {
    const odd = (await declaredErrors()).filter(({ reason }) => !/^[a-z][a-z0-9_]*$/.test(reason))
    assert.deepEqual(odd, [])
  })

  it('speak Chinese with the same values, and nothing else does', async () => {
    const errors = await declaredErrors()
    const files = (await textFiles()).filter(({ locale }) => locale === 'zh-CN')
    const chinese = new Map(files.flatMap((file) => Object.entries(file.errors)))
    const wrong = errors.filter(({ reason, template }) => {
      const text = chinese.get(reason)
      return text === undefined || placeholdersOf(text) !== placeholdersOf(template)
    })
    const reasons = new Set(errors.map(({ reason }) => reason))
    // Beside reasons: which rule of one was broken, what a field or a step breaks, and sentences.
    const isKnown = (key: string): boolean => {
      const [reason = '', rule] = key.split('.')
      return (
        key.includes(' ') || reasons.has(reason) || (['rule', 'field', 'step'].includes(reason) && rule !== undefined)
      )
    }
    assert.deepEqual([wrong, [...chinese.keys()].filter((key) => !isKnown(key))], [[], []])
  })
})

function range(first: number, last: number): readonly number[] {
  return Array.from({ length: last - first + 1 }, (_, at) => first + at)
}
