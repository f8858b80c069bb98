// @both-back-ends
import assert from 'node:assert/strict'
import type { Knex } from 'knex'
import { allowTime, createLogger } from '#kernel'
import { dropOldIndexes, indexedFrom } from '../../../core-plugins/knowledge/vectors/vector-index.ts'
import { MemoryLocks } from '../../../kernel/data/memory-locks.ts'
import type { Body } from '../../support/api.ts'
import { createTenant, dataOf, startPlatform, type Platform } from '../../support/platform.ts'
import { until } from '../../support/until.ts'
import { itWithVectors } from './vector-support.ts'
import { addReady, makeBase, path } from './world.ts'

describe('a large knowledge base with vectors', () => {
  let platform: Platform
  let db: Knex
  before(async () => {
    platform = await startPlatform({ env: { STOA_DEMO: '1' } })
    db = platform.host.kernel.database.knex
  })
  after(() => platform[Symbol.asyncDispose]())

  itWithVectors('has an index of its own, through which it is looked in, and which goes with it', async () => {
    const { owner, id: tenantId } = await createTenant(platform.admin, 'large')
    const id = await makeBase(owner, { embedding_model: 'demo-embedding' })
    const read = async () => dataOf(await owner.get(`${path}/${id}`)) as { embedding?: Body }
    const whales = await addReady(owner, id, { title: 'Whales', text: 'Photographs of humpbacks' })
    await until(async () => (await read()).embedding?.['state'] === ('ready' as unknown), 60_000)
    await db.transaction(async (trx) => {
      await allowTime(trx, 120_000)
      await fillUp(trx, { baseId: id, tenantId, documentId: whales }, indexedFrom)
    })
    const indexes = async () => {
      const { rows } = await db.raw<{ rows: { name: string; scans: string }[] }>(
        `select indexrelname as name, idx_scan as scans from pg_stat_user_indexes join pg_index using (indexrelid)
          where indexrelname like ? and indisvalid`,
        [`ai_knowledge_hnsw_${id}%`],
      )
      return rows
    }
    assert.deepEqual(await indexes(), [])
    // Until it has one, all of them are looked at.
    const found = async () => {
      const answer = dataOf(await owner.post(`${path}/${id}/search`, { query: 'photographers humpbacked' }))
      assert.deepEqual(answer['retrieval'], { mode: 'hybrid', fallback: null })
      return (answer['items'] as unknown as Body[]).map(({ title, chunk_id: chunk }) => [title, chunk] as unknown)
    }
    const before = await found()
    await addReady(owner, id, { title: 'Moon', text: 'The moon is made of basalt.' })
    await until(async () => (await indexes()).length === 1, 120_000)
    assert.deepEqual(await found(), before)
    await until(async () => {
      assert.deepEqual(await found(), before)
      return Number((await indexes())[0]?.scans) > 0
    })
    const parts = { db, log: createLogger('warn'), locks: new MemoryLocks() }
    await dropOldIndexes(parts)
    assert.equal((await indexes()).length, 1)
    dataOf(await owner.delete(`${path}/${id}`))
    await dropOldIndexes(parts)
    assert.deepEqual(await indexes(), [])
  })

  /** More chunks, whose vectors are those of no text. */
  async function fillUp(
    trx: Knex.Transaction,
    { baseId, tenantId, documentId }: Readonly<Record<'baseId' | 'documentId', string>> & { readonly tenantId: number },
    count: number,
  ): Promise<void> {
    const as = { tenant: tenantId }
    const dimension = `(select cardinality(embedding) from ai_knowledge_vectors where base_id = ? limit 1)`
    await trx
      .raw(
        `insert into ai_knowledge_chunks (id, base_id, document_id, tenant_id, position, headings, text, term_count, terms)
         select 'filler-' || n, ?, ?, ?, n, '{}', 'filler', 1, '' from generate_series(1, ?) n`,
        [baseId, documentId, tenantId, count],
      )
      .queryContext(as)
    await trx
      .raw(
        `insert into ai_knowledge_vectors (chunk_id, version, base_id, tenant_id, embedding)
         select 'filler-' || n, vector_version, b.id, b.tenant_id,
                (select array_agg((random() - 0.5)::real) from generate_series(1, ${dimension} + 0 * n))
           from ai_knowledge_bases b, generate_series(1, ?) n where b.id = ?`,
        [baseId, count, baseId],
      )
      .queryContext(as)
    for (const [table, id] of [
      ['ai_knowledge_bases', baseId] as const,
      ['ai_knowledge_documents', documentId] as const,
    ]) {
      await trx(table).where({ id }).increment('chunk_count', count).queryContext(as)
    }
  }
})
