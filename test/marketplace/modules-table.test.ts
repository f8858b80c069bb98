import { deepEqual, equal } from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { modules } from '../modules/list.ts'

describe('the table of modules of npm', () => {
  it('has each of the hundred that are tried, in its version, and counts those that work', async () => {
    const text = await readFile(join(import.meta.dirname, '../modules/README.md'), 'utf8')
    const rows = [...text.matchAll(/^\| `(?<name>\S+)` +\| (?<version>\S+) +\| \d* +\| (?<outcome>.*?) +\|$/gm)].map(
      ({ groups = {} }) => groups,
    )
    equal(new Set(modules.map(({ name }) => name)).size, 100)
    deepEqual(
      rows.map(({ name, version }) => `${name}@${version}`),
      modules.map(({ name, version }) => `${name}@${version}`),
    )
    const working = rows.filter(({ outcome = '' }) => outcome.startsWith('works'))
    equal(/^(\d+) of 100 work/m.exec(text)?.[1], String(working.length))
  })
})
