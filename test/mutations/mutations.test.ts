import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import path from 'node:path'
import { fences } from './fences/index.ts'
import { mutateText } from './mutate-text.ts'

const root = path.join(import.meta.dirname, '../..')
const mutations = fences.flatMap((fence) => fence.mutations)

describe('the list of mutations', () => {
  it('finds each of its texts exactly once, and what stands there afterwards is a program', async () => {
    const faults = []
    for (const mutation of mutations) {
      try {
        const text = mutateText(await readFile(path.join(root, mutation.file), 'utf8'), mutation)
        if (mutation.file.endsWith('.ts')) stripTypeScriptTypes(text)
      } catch (error) {
        faults.push(`${mutation.name}: ${String(error)}`)
      }
    }
    assert.deepEqual(faults, [])
  })

  it('names each mutation once, and tests that are there', () => {
    const names = mutations.map(({ name }) => name)
    assert.deepEqual(names, [...new Set(names)])
    const tests = [...new Set(mutations.flatMap((mutation) => mutation.tests))]
    assert.deepEqual(
      tests.filter((file) => !existsSync(path.join(root, file))),
      [],
    )
    assert.deepEqual(
      mutations.filter((mutation) => mutation.tests.length === 0),
      [],
    )
  })
})
