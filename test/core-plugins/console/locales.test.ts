import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

type Texts = { readonly [name: string]: string | Texts }

const web = path.join(import.meta.dirname, '../../../core-plugins/console/web')
const areas = readdirSync(path.join(web, 'locales/en')).map((file) => path.basename(file, '.json'))

/** Every text of a language by its key. */
function textsOf(locale: string): ReadonlyMap<string, string> {
  const read = (area: string) =>
    JSON.parse(readFileSync(path.join(web, 'locales', locale, `${area}.json`), 'utf8')) as Texts
  return new Map(areas.flatMap((area) => flat(read(area), area)))
}

function flat(texts: Texts, name: string): readonly (readonly [string, string])[] {
  return Object.entries(texts).flatMap(([key, value]) =>
    typeof value === 'string' ? [[`${name}.${key}`, value] as const] : flat(value, `${name}.${key}`),
  )
}

function placeholders(text: string): readonly string[] {
  return [...new Set([...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name))].toSorted()
}

/** What pages and parts of them say by name, each with the file that says it. */
function keysUsed(): readonly (readonly [string, string])[] {
  const files = readdirSync(web, { recursive: true, encoding: 'utf8' }).filter((file) => /\.(vue|ts)$/.test(file))
  return files.flatMap((file) => {
    const text = readFileSync(path.join(web, file), 'utf8')
    const found = text.matchAll(/(?<![\w.])(?:t|say)\(\s*'([\w.-]+)'/g)
    return [...found].map(([, key = '']) => [key, file] as const)
  })
}

describe('texts of the console', () => {
  const english = textsOf('en')
  const chinese = textsOf('zh-CN')

  it('51: each state that has a colour has a word', () => {
    const source = readFileSync(path.join(web, 'ui/status.ts'), 'utf8')
    const statuses = [...source.matchAll(/^ {2}(\w+): '(?:good|warn|bad|note)'/gm)].map(([, status = '']) => status)
    assert.ok(statuses.length > 50)
    assert.deepEqual(
      statuses.filter((status) => !english.has(`shell.status.${status}`)),
      [],
    )
  })

  it('51: both languages have the same texts with the same facts in them', () => {
    assert.deepEqual([...chinese.keys()].toSorted(), [...english.keys()].toSorted())
    const different = [...english].filter(([key, text]) => {
      const other = placeholders(chinese.get(key) ?? '')
      // A number that English says by its form alone stands in the other language as a digit.
      return placeholders(text).some((name) => !other.includes(name))
    })
    assert.deepEqual(different, [])
  })

  it('51: every text that is said is there', () => {
    const missing = keysUsed().filter(([key]) => !english.has(key))
    assert.deepEqual(missing, [])
  })

  it('48: whatever the platform records of somebody has words', () => {
    const folder = path.join(web, '../..')
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
      (file) => file.endsWith('.ts') && !file.startsWith('console'),
    )
    const actions = files.flatMap((file) => {
      const found = readFileSync(path.join(folder, file), 'utf8').matchAll(
        /(?:action: |action = |auditEntry\([\w.]+, |ecord\(\w+, )'([a-z_]+\.[a-z_]+)'/g,
      )
      return [...found].map(([, action = '']) => action)
    })
    const hasWords = (action: string): boolean => {
      const [subject = '', verb = ''] = action.split('.')
      const about = subject.replace(/^(?:platform|tenant)_/, '')
      const parts = [`access.subjects.${about}`, `access.verbs.${verb}`]
      return english.has(`access.did.${action.replaceAll('.', '_')}`) || parts.every((key) => english.has(key))
    }
    assert.ok(actions.length > 50)
    assert.deepEqual(
      [...new Set(actions)].filter((action) => !hasWords(action)),
      [],
    )
  })

  it('51: no sentence stands in a template', () => {
    const files = readdirSync(web, { recursive: true, encoding: 'utf8' }).filter(
      (file) => file.endsWith('.vue') && !file.startsWith('gallery'),
    )
    const literals = files.flatMap((file) => {
      const source = readFileSync(path.join(web, file), 'utf8')
      const template = /<template>([\s\S]*)<\/template>/.exec(source)?.[1] ?? ''
      const bare = template.replace(/<!--[\s\S]*?-->/g, '').replace(/\{\{[\s\S]*?\}\}/g, '')
      const texts = bare.replace(/"[^"]*"/g, '""').matchAll(/>([^<>]*\p{L}{3,}[^<>]*)</gu)
      return [...texts].map(([, text = '']) => `${file}: ${text.trim()}`)
    })
    // What is a name or a unit everywhere.
    const names = ['openapi.json', 'CSV', 'Ctrl K', 'npm run setup-link', 'npm run config:rekey']
    assert.deepEqual(
      literals.filter((literal) => !names.some((name) => literal.endsWith(`: ${name}`))),
      [],
    )
  })
})
