// @both-back-ends
import assert from 'node:assert/strict'
import type { Knex } from 'knex'
import { knowledgeRetrieval } from '../../../core-plugins/knowledge/contract.ts'
import { addVectors } from '../../../core-plugins/knowledge/vectors/vector-sets.ts'
import { textOf } from '../../support/attachments.ts'
import type { Api, Body } from '../../support/api.ts'
import { startFakeUpstream, type FakeUpstream, type Lane } from '../../support/fake-upstream/start.ts'
import { createTenant, dataOf, refusalOf, startPlatform, type Platform } from '../../support/platform.ts'
import { until } from '../../support/until.ts'
import { demandVectors, itWithVectors } from './vector-support.ts'
import { addReady, find, makeBase, path } from './world.ts'

describe('knowledge bases with vectors', () => {
  let [platform, upstream, lane, db] = [] as unknown as [Platform, FakeUpstream, Lane, Knex]
  let hasVectors = false
  before(async () => {
    upstream = await startFakeUpstream()
    lane = upstream.lane('embedding')
    const env = { STOA_DEMO: '1', EGRESS_ALLOW_PRIVATE: `127.0.0.1:${String(upstream.port)}` }
    platform = await startPlatform({ env })
    db = platform.host.kernel.database.knex
    hasVectors = await demandVectors(db)
  })
  after(async () => {
    await platform[Symbol.asyncDispose]()
    await upstream[Symbol.asyncDispose]()
  })

  const read = async (owner: Api, id: string): Promise<Body> => dataOf(await owner.get(`${path}/${id}`))
  const isSo = async (owner: Api, id: string, wanted: (base: Body) => boolean) => {
    await until(async () => wanted(await read(owner, id)), 60_000)
  }
  const isEmbedded = (owner: Api, id: string) =>
    isSo(
      owner,
      id,
      ({ embedding, retrieval }) =>
        JSON.stringify([embedding?.['state'], retrieval?.['mode']]) === '["ready","hybrid"]',
    )

  it('say whether the database has them, and find by words where it has none', async () => {
    const { details, ...health } = dataOf(await platform.admin.get('/admin/health'))
    const state = JSON.stringify(details ?? health)
    assert.match(state, hasVectors ? /"vectors":"available"/ : /"vectors":"(absent|not_created)"/)
    const { owner } = await createTenant(platform.admin, 'words')
    const id = await makeBase(owner)
    await addReady(owner, id, { title: 'Moon', text: 'The moon is made of basalt.' })
    assert.equal((await find(owner, id, 'moon')).length, 1)
    if (!hasVectors) assert.deepEqual((await read(owner, id))['embedding']?.['state'], 'unavailable')
    const refused = await owner.put(`${path}/${id}`, { embedding_model: 'demo' })
    assert.deepEqual(refusalOf(refused), { status: 422, code: 4229, reason: 'knowledge_invalid' })
    dataOf(await owner.put(`${path}/${id}`, { embedding_model: null }))
    const { embedding, retrieval } = await read(owner, id)
    assert.deepEqual([embedding?.['state'], retrieval?.['mode']], ['off', 'lexical'])
  })

  describe('where the database has pgvector', () => {
    itWithVectors('are deleted while vectors come, and neither waits for the other', async () => {
      const { owner, id: tenantId } = await createTenant(platform.admin, 'crossing')
      const id = await makeBase(owner)
      await addReady(owner, id, { title: 'Whales', text: 'Photographs of humpbacks' })
      await isEmbedded(owner, id)
      const [chunk] = await db<{ id: string; base_id: string }>('ai_knowledge_chunks')
        .where({ base_id: id })
        .select('id')
        .queryContext({ tenant: tenantId })
      const set = { base: { id, tenantId }, version: 2, model: 'demo@2' }
      const deleting = await db.transaction()
      await deleting('ai_knowledge_bases').where({ id }).forUpdate().queryContext({ tenant: tenantId })
      const held = Promise.withResolvers<number>()
      const hold = async (trx: Knex.Transaction): Promise<void> => {
        const { rows } = await trx.raw<{ rows: { pid: number }[] }>('select pg_backend_pid() as pid')
        held.resolve(rows[0]!.pid)
      }
      const adding = addVectors(db, set, { ids: [chunk!.id], vectors: [[1, 2, 3]] }, { hold })
      const pid = await held.promise
      await until(async () => {
        const { rows } = await db.raw<{ rows: { waits: boolean }[] }>(
          'select cardinality(pg_blocking_pids(?)) > 0 as waits',
          [pid],
        )
        return rows[0]!.waits
      })
      await deleting('ai_knowledge_bases').where({ id }).delete().queryContext({ tenant: tenantId })
      await deleting.commit()
      await adding
      const left = await db('ai_knowledge_vectors').where({ base_id: id }).queryContext({ tenant: tenantId })
      assert.deepEqual(left, [])
    })

    itWithVectors('find what words alone do not, and say so, for those who may read it', async () => {
      const { owner, id: tenantId } = await createTenant(platform.admin, 'both')
      const other = await createTenant(platform.admin, 'bothother')
      const id = await makeBase(owner)
      const secret = await makeBase(owner, { access: { mode: 'restricted' } })
      const foreign = await makeBase(other.owner)
      await addReady(owner, id, { title: 'Whales', text: 'Photographs of humpbacks' })
      await addReady(owner, secret, { title: 'Canary', text: 'Photographs of humpbacks, secret' })
      await addReady(other.owner, foreign, { title: 'Foreign', text: 'Photographs of humpbacks, foreign' })
      await isEmbedded(owner, id)
      await isEmbedded(owner, secret)
      await isEmbedded(other.owner, foreign)
      const answer = dataOf(await owner.post(`${path}/${id}/search`, { query: 'photographers humpbacked' }))
      assert.deepEqual(answer['retrieval'], { mode: 'hybrid', fallback: null })
      assert.deepEqual(
        (answer['items'] as unknown as Body[]).map(({ title }) => title as unknown),
        ['Whales'],
      )
      const found = await platform.host.kernel.services
        .get(knowledgeRetrieval)
        .search(
          { scope: 'tenant', tenantId, userId: 1, roles: [], permissions: [], can: () => true, sessionId: '' },
          { text: 'photographers humpbacked', knowledgeBaseIds: [id, secret, foreign], minScore: 0 },
        )
      assert.deepEqual([found.mode, found.chunks.map(({ title }) => title)], ['hybrid', ['Whales']])
      assert.deepEqual(await find(owner, id, 'quantum chromodynamics lattice'), [])
    })

    itWithVectors('go over to another model without a moment in which nothing is found by the one before', async () => {
      const { owner, id: tenantId } = await createTenant(platform.admin, 'models')
      const id = await makeBase(owner, { embedding_model: 'demo-embedding' })
      for (const title of ['One', 'Two', 'Three']) await addReady(owner, id, { title, text: `${title} humpbacks` })
      await isEmbedded(owner, id)
      await addModel('other')
      dataOf(await owner.put(`${path}/${id}`, { embedding_model: 'other' }))
      await until(async () => {
        const { retrieval, items } = dataOf(await owner.post(`${path}/${id}/search`, { query: 'humpbacks' }))
        assert.deepEqual([retrieval?.['mode'], (items as unknown as unknown[]).length], ['hybrid', 3])
        return (await read(owner, id))['embedding']?.['model'] === ('other@1' as unknown)
      }, 60_000)
      const { embedding } = await read(owner, id)
      assert.deepEqual(embedding, { state: 'ready', model: 'other@1', dimension: 4, error: null })
      const versions = await db('ai_knowledge_vectors').queryContext({ tenant: tenantId }).where({ base_id: id })
      assert.deepEqual(
        versions.map(({ version }: { version: number }) => version),
        [2, 2, 2],
      )
      const { items } = dataOf(await owner.get('/admin/ai/usage?purpose=embedding'))
      assert.ok((items as unknown as unknown[]).length > 0)
    })

    itWithVectors('find by words and say why when the model fails, and keep why it has no vectors', async () => {
      const { owner } = await createTenant(platform.admin, 'failing')
      await addModel('failing')
      const id = await makeBase(owner, { embedding_model: 'failing' })
      await addReady(owner, id, { title: 'Moon', text: 'The moon is made of basalt.' })
      await isEmbedded(owner, id)
      await lane.behave({ trouble: { kind: 'status', status: 500 } })
      const answer = dataOf(await owner.post(`${path}/${id}/search`, { query: 'moon basalt' }))
      assert.equal(answer['retrieval']?.['mode'], 'lexical')
      assert.match(JSON.stringify(answer['retrieval']?.['fallback']), /upstream|no_healthy_target/)
      assert.equal((answer['items'] as unknown as unknown[]).length, 1)
    })

    itWithVectors('are made anew by a new version of their model, without anybody asking', async () => {
      const { owner } = await createTenant(platform.admin, 'versions')
      await lane.behave({})
      const model = await addModel('versioned')
      const id = await makeBase(owner, { embedding_model: 'versioned' })
      await addReady(owner, id, { title: 'Moon', text: 'The moon is made of basalt.' })
      await isEmbedded(owner, id)
      dataOf(await platform.admin.post(`/admin/ai/models/${model}/versions`, { upstream_model: 'up-2' }), 201)
      await isSo(owner, id, ({ embedding }) => (embedding?.['model'] as unknown) === 'versioned@2')
    })

    itWithVectors('make no vector anew for a chunk that says what it said', async () => {
      const { owner } = await createTenant(platform.admin, 'carried')
      const id = await makeBase(owner, { embedding_model: 'demo-embedding' })
      const document = await addReady(owner, id, { title: 'Moon', text: 'The moon is made of basalt.' })
      await isEmbedded(owner, id)
      const made = async () =>
        (await db('ai_knowledge_vectors').queryContext({ tenant: 'all' }).where({ base_id: id })) as {
          chunk_id: string
        }[]
      const [before] = await made()
      dataOf(await owner.post(`${path}/${id}/documents/${document}/retry`))
      await until(async () => {
        const rows = await made()
        assert.equal(rows.length, 1)
        return rows[0]?.chunk_id !== before?.chunk_id
      }, 60_000)
    })
  })

  async function addModel(name: string): Promise<string> {
    const vendor = { code: name, name, type: 'openai_compatible', base_url: lane.v1 }
    const provider = await platform.admin.post('/admin/ai/providers', {
      ...vendor,
      credentials: { api_key: 'sk-test' },
    })
    const model = { name, kind: 'embedding', provider_id: dataOf(provider, 201)['id'], upstream_model: 'up' }
    const made = await platform.admin.post('/admin/ai/models', { ...model, price: { input: '1', output: '0' } })
    return textOf(dataOf(made, 201)['id'])
  }
})
