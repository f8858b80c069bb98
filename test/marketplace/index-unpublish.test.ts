import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { cp } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { stoa } from './run-stoa.ts'
import { makeScratch } from './sample-package.ts'

const fixtures = join(import.meta.dirname, '../fixtures')
const key = join(fixtures, 'keys/sample-acme-1.key.json')

describe('what was published by mistake', () => {
  it('is gone before the index is built, and is only taken back afterwards', async () => {
    await using scratch = await makeScratch()
    const index = join(scratch.path, 'index')
    await cp(join(fixtures, 'index'), index, { recursive: true })
    await stoa(scratch.path, 'create', 'acme.tool', '--template', 'tool', '--out', 'tool')
    await stoa(scratch.path, 'pack', 'tool', '--sign', key, '--out', 'tool.zip')
    const published = await stoa(scratch.path, 'publish', 'tool.zip', '--index', 'index')
    equal(published.exitCode, 0, published.stderr)
    ok(existsSync(join(index, 'p/ac/acme.tool/plugin.json')))
    const undone = await stoa(scratch.path, 'unpublish', 'acme.tool@0.1.0', '--index', 'index')
    deepEqual([undone.exitCode, existsSync(join(index, 'p/ac/acme.tool'))], [0, false], undone.stderr)
    const late = await stoa(scratch.path, 'unpublish', 'acme.reports@1.1.0', '--index', 'index')
    equal(late.exitCode, 1)
    match(late.stderr, /Sites may have acme\.reports 1\.1\.0 already: stoa yank/)
    const unknown = await stoa(scratch.path, 'unpublish', 'acme.reports@9.0.0', '--index', 'index')
    match(unknown.stderr, /no acme\.reports 9\.0\.0/)
  })

  it('is found, shown and deprecated by name', async () => {
    await using scratch = await makeScratch()
    await cp(join(fixtures, 'index'), join(scratch.path, 'index'), { recursive: true })
    const found = await stoa(scratch.path, 'search', 'SALES', '--index', 'index', '--json')
    deepEqual(
      (JSON.parse(found.stdout) as { name: string }[]).map(({ name }) => name),
      ['acme.reports'],
    )
    const shown = await stoa(scratch.path, 'show', 'acme.report', '--index', 'index')
    match(shown.stderr, /Did you mean acme\.reports\?/)
    const pinned = await stoa(scratch.path, 'show', 'acme.reports', '--index', 'index', '--root', '0'.repeat(64))
    equal(pinned.exitCode, 1)
    const told = await stoa(scratch.path, 'deprecate', 'acme.reports', '--reason', 'Use another', '--index', 'index')
    equal(told.exitCode, 0, told.stderr)
  })

  it('is told apart from what was mistyped', async () => {
    const said = async (...args: string[]): Promise<string> => (await stoa('/', ...args)).stderr
    match(await said('valdate'), /Did you mean stoa validate\?/)
    match(await said('index', 'biuld'), /Did you mean stoa index build\?/)
    match(await said('pack', '.', '--sgin', 'x'), /Did you mean --sign\?/)
    match((await stoa('/', '--version')).stdout, /^\d+\.\d+\.\d+\n$/)
    for (const shell of ['bash', 'zsh', 'fish']) equal((await stoa('/', 'completion', shell)).exitCode, 0)
    equal((await stoa('/', 'completion', 'tcsh')).exitCode, 2)
  })
})
