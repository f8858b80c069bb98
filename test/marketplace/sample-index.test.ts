import { deepEqual, equal } from 'node:assert/strict'
import { join } from 'node:path'
import { buildSampleIndex } from '../support/build-sample-index.ts'
import { hashTree } from './index-workshop.ts'
import { stoa } from './run-stoa.ts'
import { makeScratch } from './sample-package.ts'

const sample = join(import.meta.dirname, '../fixtures/index')

describe('the sample index', () => {
  // When a sample plugin or the SDK has changed: node test/support/build-sample-index.ts
  it('is what the sample plugins give', async () => {
    await using scratch = await makeScratch()
    await buildSampleIndex(join(scratch.path, 'index'))
    deepEqual(await hashTree(join(scratch.path, 'index')), await hashTree(sample))
  })

  it('has a release that asks for more than the one before', async () => {
    const { exitCode, stdout } = await stoa(
      '/',
      'diff',
      'acme.reports@1.0.0',
      'acme.reports@1.1.0',
      '--index',
      sample,
      '--json',
    )
    equal(exitCode, 0)
    const { change, added } = JSON.parse(stdout) as { change: string; added: { kind: string; detail: string }[] }
    deepEqual([change, added.map(({ kind, detail }) => `${kind} ${detail}`)], ['wider', ['capability notify']])
  })
})
