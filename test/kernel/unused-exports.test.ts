import assert from 'node:assert/strict'
import { findUnusedExports } from '../support/unused-exports.ts'

const unusedIn = (files: Readonly<Record<string, string>>): readonly string[] =>
  findUnusedExports(new Map(Object.entries(files))).map(({ file, name }) => `${file} ${name}`)

describe('the search for exports that nobody imports', () => {
  it('finds values and types, whether declared or handed on', () => {
    const files = {
      'kernel/a.ts': 'export const used = 1\nexport const [unused] = []\nexport interface Unused {}',
      'kernel/b.ts': `export { used as second } from './a.ts'\nexport default 1`,
      'kernel/c.ts': `import { used } from './a.ts'\nvoid used`,
    }
    assert.deepEqual(unusedIn(files), ['kernel/a.ts unused', 'kernel/a.ts Unused', 'kernel/b.ts second'])
  })

  it('follows what is handed on to where it is taken: through a door, all of a file, a type in place', () => {
    const files = {
      'kernel/index.ts': `export * from './a.ts'\nexport type { Kept } from './b.ts'`,
      'kernel/a.ts': 'export const used = 1\nexport const unused = 2',
      'kernel/b.ts': 'export interface Kept {}',
      'core-plugins/x.ts': `import { used } from '#kernel'\nlet kept: import('../kernel/b.ts').Kept`,
    }
    assert.deepEqual(unusedIn(files), ['kernel/index.ts Kept', 'kernel/index.ts unused', 'kernel/a.ts unused'])
  })
})
