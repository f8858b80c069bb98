import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

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
  ...[4050, 4060, 4100, 4120, 4130, 4150, 4160, 4170, 5010, 5040, 5070],
])
const root = path.join(import.meta.dirname, '..', '..')

interface Declared {
  readonly code: number
  readonly reason: string
  readonly template: string
  readonly file: string
}

async function declared(): Promise<readonly Declared[]> {
  const files = globSync('{kernel,core-plugins,sandbox,marketplace}/**/errors.ts', { cwd: root }).sort()
  const lists = files.map(async (file) => {
    const module = (await import(pathToFileURL(path.join(root, file)).href)) as Record<string, unknown>
    return Object.values(module).flatMap((value) => {
      const { code, reason, template } = (typeof value === 'function' ? value : {}) as Partial<Declared>
      return code !== undefined && reason !== undefined ? [{ code, reason, template: template ?? '', file }] : []
    })
  })
  return (await Promise.all(lists)).flat()
}

/** Every Chinese text, by the reason of its error. */
async function translated(): Promise<ReadonlyMap<string, string>> {
  const files = globSync('{kernel,core-plugins,sandbox,marketplace}/**/*messages.ts', { cwd: root }).sort()
  const lists = files.map(async (file) => {
    const module = (await import(pathToFileURL(path.join(root, file)).href)) as Record<string, unknown>
    return Object.values(module).flatMap((value) => {
      const { 'zh-CN': texts = {} } = value as { readonly 'zh-CN'?: Readonly<Record<string, string>> }
      return Object.entries(texts)
    })
  })
  return new Map((await Promise.all(lists)).flat())
}

describe('the errors of the whole platform', () => {
  it('are declared once each', async () => {
    const owners = Map.groupBy(await declared(), ({ code, reason }) => `${code} ${reason}`)
    const twice = [...owners].flatMap(([pair, list]) =>
      list.length > 1 ? [[pair, ...list.map(({ file }) => file)]] : [],
    )
    assert.deepEqual(twice, [])
  })

  it('have codes of the table', async () => {
    const unknown = (await declared()).filter(({ code }) => !known.has(code))
    assert.deepEqual(unknown, [])
  })

  it('have slugs that never need escaping', async () => {
    const odd = (await declared()).filter(({ reason }) => !/^[a-z][a-z0-9_]*$/.test(reason))
    assert.deepEqual(odd, [])
  })

  it('speak Chinese with the same values, and nothing else does', async () => {
    const errors = await declared()
    const chinese = await translated()
    const values = (text: string | undefined) => text?.match(/\{\w+\}/g)?.sort() ?? []
    const wrong = errors.filter(({ reason, template }) => {
      const text = chinese.get(reason)
      return text === undefined || values(text).join() !== values(template).join()
    })
    const reasons = new Set(errors.map(({ reason }) => reason))
    // Beside reasons: which rule of one was broken, what a field breaks, and sentences.
    const isKnown = (key: string): boolean => {
      const [reason = '', rule] = key.split('.')
      return key.includes(' ') || reasons.has(reason) || (reason === 'rule' && rule !== undefined)
    }
    assert.deepEqual([wrong, [...chinese.keys()].filter((key) => !isKnown(key))], [[], []])
  })
})

function range(first: number, last: number): readonly number[] {
  return Array.from({ length: last - first + 1 }, (_, at) => first + at)
}
