import assert from 'node:assert/strict'
import type { Api } from '../../support/api.ts'
import { createTenant, startPlatform, type Platform } from '../../support/platform.ts'
import { labelled } from './labelled.ts'
import { addReady, find, makeBase } from './world.ts'

/** Of all questions of a language. */
const wantedShare = 0.95

describe('retrieval over labelled questions', function () {
  this.timeout(120_000)
  let platform: Platform
  let owner: Api
  let base: string
  before(async () => {
    platform = await startPlatform()
    owner = (await createTenant(platform.admin, 'labelled')).owner
    // All languages in one, as an international shop has them.
    base = await makeBase(owner)
    for (const { language, passages } of labelled) {
      const text = passages.map(([heading, said]) => `## ${heading}\n\n${said}\n`).join('\n')
      await addReady(owner, base, { title: `shop ${language}`, text, format: 'markdown' })
    }
  })
  after(() => platform[Symbol.asyncDispose]())

  for (const { language, passages, questions } of labelled) {
    it(`has the right chunk among the first five, in ${language}`, async () => {
      const missed: string[] = []
      for (const [question, answer] of questions) {
        const found = await find(owner, base, question, { top_k: 5 })
        const wanted = passages[answer]?.[1]
        if (!found.some(({ text }) => (text as unknown) === wanted)) missed.push(question)
      }
      assert.ok(missed.length <= questions.length * (1 - wantedShare), `missed: ${missed.join(' · ')}`)
    })
  }

  it('finds nothing for what no document is about', async () => {
    assert.deepEqual(await find(owner, base, 'quantum chromodynamics lattice'), [])
    assert.deepEqual(await find(owner, base, '火星大气压力'), [])
  })
})
