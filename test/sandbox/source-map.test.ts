import { deepEqual, equal } from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { AuthorStacks } from '../../sandbox/source-map/author-stacks.ts'
import { LineMap } from '../../sandbox/source-map/line-map.ts'

const map = { version: 3, sources: ['src/index.ts'], names: [], mappings: 'AAAA;;IAEE,SAAS' }
const text = (changes: object): string => JSON.stringify({ ...map, ...changes })

describe('source maps of plugins', () => {
  it('lead from a place in the bundle to the one it was made of', () => {
    const lines = LineMap.parse(text({}))
    deepEqual(lines?.find(1, 40), { source: 'src/index.ts', line: 1, column: 1 })
    deepEqual(lines?.find(3, 5), { source: 'src/index.ts', line: 3, column: 3 })
    deepEqual(lines?.find(3, 14), { source: 'src/index.ts', line: 3, column: 12 })
    deepEqual([lines?.find(2, 1), lines?.find(3, 4), lines?.find(99, 1), lines?.find(0, 0)], Array(4).fill(undefined))
  })

  it('that are none, or too much of one, are not read', () => {
    const hostile = [
      ...['', '[]', 'null', '{"version":3}', `${'['.repeat(5000)}${']'.repeat(5000)}`],
      ...[text({ version: 2 }), text({ mappings: 1 }), text({ mappings: 'é' }), text({ sources: 'src/index.ts' })],
      text({ mappings: 'gggggggggggggggA' }),
      text({ mappings: 'DAAA' }),
      text({ mappings: ';'.repeat(300_000) }),
      text({ mappings: 'AAAA,'.repeat(600_000) }),
      text({ sources: Array(6_000).fill('a.ts') }),
    ]
    deepEqual(
      hostile.map((each) => LineMap.parse(each)),
      hostile.map(() => undefined),
    )
  })

  it('name no file outside of the plugin', () => {
    for (const source of ['../../etc/passwd', '/etc/passwd', 'a/../../b', './a.ts', 'a\nb', '\u001b[31m', 7, null])
      equal(LineMap.parse(text({ sources: [source] }))?.find(1, 1), undefined)
  })

  it('are believed when they are what was installed, and change nothing else of a stack', async () => {
    const directory = await mkdtemp(path.join(tmpdir(), 'map-'))
    try {
      await mkdir(path.join(directory, 'dist'))
      await writeFile(path.join(directory, 'dist/index.js.map'), text({}))
      const stack = 'Error: no\n    at run (plugin:dist/index.js:3:5)\n    at run (stoa:guest:1:2)'
      const stacks = new AuthorStacks()
      const sha256 = createHash('sha256').update(text({})).digest('hex')
      const release = (treeHash: string, hash: string) => ({
        ...{ treeHash, directory },
        files: { 'dist/index.js.map': hash },
      })
      equal(await stacks.map(release('a', sha256), stack), 'Error: no\n    at run (src/index.ts:3:3)')
      equal(await stacks.map(release('b', '0'.repeat(64)), stack), 'Error: no\n    at run (plugin:dist/index.js:3:5)')
    } finally {
      await rm(directory, { recursive: true })
    }
  })

  it('are read twice in a minute for one release, whatever its stacks name', async () => {
    const directory = await mkdtemp(path.join(tmpdir(), 'map-'))
    try {
      const sha256 = createHash('sha256').update(text({})).digest('hex')
      const names = Array.from({ length: 12 }, (_, index) => `m${index}.js`)
      for (const name of names) await writeFile(path.join(directory, `${name}.map`), text({}))
      const files = Object.fromEntries(names.map((name) => [`${name}.map`, sha256]))
      const stack = names.map((name) => `    at run (plugin:${name}:3:5)`).join('\n')
      const stacks = new AuthorStacks()
      const mappedIn = async (treeHash: string): Promise<number> =>
        (await stacks.map({ treeHash, directory, files }, stack)).split('src/index.ts').length - 1
      deepEqual([await mappedIn('a'), await mappedIn('a'), await mappedIn('b')], [2, 2, 2])
    } finally {
      await rm(directory, { recursive: true })
    }
  })
})
