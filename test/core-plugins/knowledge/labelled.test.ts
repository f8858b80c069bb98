// @both-back-ends
import assert from 'node:assert/strict'
import type { Api } from '../../support/api.ts'
import { createTenant, dataOf, startPlatform, type Platform } from '../../support/platform.ts'
import { until } from '../../support/until.ts'
import { harder } from './labelled-harder.ts'
import { labelled } from './labelled.ts'
import { demandVectors, itWithVectors } from './vector-support.ts'
import { addReady, find, makeBase, path } from './world.ts'

/** Of all questions of a language: by words, and by words and vectors. */
const wantedShares = { lexical: 0.95, hybrid: 0.98 }

describe('retrieval over labelled questions', () => {
  let platform: Platform
  let owner: Api
  let base: string
  before(async () => {
    platform = await startPlatform({ env: { STOA_DEMO: '1' } })
    await demandVectors(platform.host.kernel.database.knex)
    owner = (await createTenant(platform.admin, 'labelled')).owner
    // All languages in one, as an international shop has them.
    base = await makeBase(owner, { embedding_model: null })
    for (const { language, passages } of labelled) {
      const text = passages.map(([heading, said]) => `## ${heading}\n\n${said}\n`).join('\n')
      await addReady(owner, base, { title: `shop ${language}`, text, format: 'markdown' })
    }
  })
  after(() => platform[Symbol.asyncDispose]())

  async function missedOf({ language, passages, questions }: (typeof labelled)[number]): Promise<readonly string[]> {
    const missed: string[] = []
    for (const [question, answer] of [...questions, ...(harder[language] ?? [])]) {
      const found = await find(owner, base, question, { top_k: 5 })
      const wanted = passages[answer]?.[1]
      if (!found.some(({ text }) => (text as unknown) === wanted)) missed.push(question)
    }
    return missed
  }

  function assertFew(missed: readonly string[], { language, questions }: (typeof labelled)[number], share: number) {
    const count = questions.length + (harder[language]?.length ?? 0)
    assert.ok(missed.length <= count * (1 - share), `missed: ${missed.join(' · ')}`)
  }

  for (const each of labelled) {
    it(`has the right chunk among the first five by words, in ${each.language}`, async () => {
      assertFew(await missedOf(each), each, wantedShares.lexical)
    })
  }

  it('finds nothing for what no document is about', async () => {
    assert.deepEqual(await find(owner, base, 'quantum chromodynamics lattice'), [])
    assert.deepEqual(await find(owner, base, '火星大气压力'), [])
  })

  itWithVectors(
    'has the right chunk among the first five by words and vectors, and nothing for what no document is about',
    async () => {
      dataOf(await owner.put(`${path}/${base}`, { embedding_model: 'demo-embedding' }))
      await until(
        async () => dataOf(await owner.get(`${path}/${base}`))['embedding']?.['state'] === ('ready' as unknown),
        60_000,
      )
      for (const each of labelled) assertFew(await missedOf(each), each, wantedShares.hybrid)
      assert.deepEqual(await find(owner, base, 'quantum chromodynamics lattice'), [])
      assert.deepEqual(await find(owner, base, '火星大气压力'), [])
    },
  )
})
