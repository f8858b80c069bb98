import assert from 'node:assert/strict'
import { findCircles } from '../support/check-floors.ts'

describe('the floors of the house', () => {
  it('are whole where folders import from one side only', () => {
    const imports = [
      ['a/top/x.ts', 'a/ground/x.ts'],
      ['a/top/deep/y.ts', 'a/top/x.ts'],
      ['a/index.ts', 'a/top/deep/y.ts'],
    ] as const
    assert.deepEqual(findCircles(imports), [])
  })

  it('are broken by folders that import each other, though their files do not', () => {
    const imports = [
      ['a/one/x.ts', 'a/two/x.ts'],
      ['a/two/y.ts', 'a/three/x.ts'],
      ['a/three/y.ts', 'a/one/y.ts'],
    ] as const
    assert.deepEqual(findCircles(imports), ['a: one → two → three → one'])
  })

  it('are broken by a folder that imports a file which imports the folder, at any depth', () => {
    const imports = [
      ['a/b/index.ts', 'a/b/c/x.ts'],
      ['a/b/c/y.ts', 'a/b/index.ts'],
      ['b/x.ts', 'a/b/index.ts'],
      ['a/z.ts', 'b/x.ts'],
    ] as const
    assert.deepEqual(findCircles(imports), ['a/b: index.ts → c → index.ts', '.: b → a → b'])
  })
})
