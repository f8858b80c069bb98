import assert from 'node:assert/strict'
import type { Principal } from '#kernel'
import { replaceChunks } from '../../../core-plugins/knowledge/indexing/replace-chunks.ts'
import { KnowledgeDocumentRow } from '../../../core-plugins/knowledge/tables.ts'
import {
  knowledgeLibrary,
  knowledgeRetrieval,
  type KnowledgeRetrieval,
} from '../../../core-plugins/knowledge/contract.ts'
import type { Api } from '../../support/api.ts'
import { textOf, uploaded } from '../../support/attachments.ts'
import { createTenant, createUser, dataOf, refusalOf, startPlatform, type Platform } from '../../support/platform.ts'
import { listOf, newUser } from '../agents/world.ts'
import { addDocument, addReady, find, makeBase, path, settled } from './world.ts'

describe('knowledge bases', () => {
  let platform: Platform
  let retrieval: KnowledgeRetrieval
  before(async () => {
    platform = await startPlatform({ env: { STOA_DEMO: '1' } })
    retrieval = platform.host.kernel.services.get(knowledgeRetrieval)
  })
  after(() => platform[Symbol.asyncDispose]())

  it('are made, listed, read, changed by who has seen the version, and deleted', async () => {
    const { owner } = await createTenant(platform.admin, 'bases')
    const wish = { description: 'About us', language: 'en', retrieval: { top_k: 3 } }
    const id = await makeBase(owner, wish)
    const base = dataOf(await owner.get(`${path}/${id}`))
    assert.deepEqual(
      [base['description'], base['language'], base['retrieval'], base['document_count'], base['access']],
      [
        ...['About us', 'en', { mode: 'lexical', top_k: 3, min_score: 0.2 }, 0],
        { mode: 'all', roles: [], org_ids: [], user_ids: [] },
      ],
    )
    const stale = await owner.put(`${path}/${id}`, { name: 'X' }, { headers: { 'if-match': '"9"' } })
    assert.equal(stale.status, 412)
    assert.equal(dataOf(await owner.put(`${path}/${id}`, { name: 'Other' }))['version'], 2)
    assert.deepEqual(listOf(dataOf(await owner.get(`${path}?q=oth`)), 'id'), [id])
    const wrong = { mode: 'restricted', roles: ['none'], org_ids: [999_999], user_ids: [999_999] }
    const refused = await owner.put(`${path}/${id}`, { access: wrong })
    assert.deepEqual(refusalOf(refused), { status: 422, code: 4229, reason: 'knowledge_invalid' })
    await addReady(owner, id, { title: 'A', text: 'Something to be read' })
    dataOf(await owner.delete(`${path}/${id}`))
    const gone = await owner.get(`${path}/${id}`)
    assert.deepEqual(refusalOf(gone), { status: 404, code: 4040, reason: 'knowledge_base_not_found' })
    const reader = await createUser(owner, 'bases', ['tenant_agent:list'])
    dataOf(await reader.get(path))
    assert.equal((await reader.post(path, { name: 'No' })).status, 403)
    assert.equal((await owner.post(path, { name: 'Not ours', tenant_id: 999_999 })).status, 422)
    assert.equal((await reader.post(`${path}/${id}/search`, { query: 'x' })).status, 403)
    const looker = await createUser(owner, 'bases', ['tenant_agent:detail'])
    assert.equal((await looker.delete(`${path}/${id}/documents/doc_1`)).status, 403)
  })

  it('find what their documents say, under its headings, until these are taken out', async () => {
    const { owner } = await createTenant(platform.admin, 'finding')
    const id = await makeBase(owner)
    const markdown =
      '# Shop\n\n## Refunds\n\nMoney comes back within 14 days.\n\n## Shipping\n\nParcels leave on Mondays.'
    const shop = await addReady(owner, id, { title: 'Shop', text: markdown, format: 'markdown' })
    const html = '<h1>会社</h1><h2>返品</h2><p>商品は30日以内に返品できます。</p><script>hidden words</script>'
    await addReady(owner, id, { title: '案内', text: html, format: 'html' })
    await addReady(owner, id, { title: '说明', text: '买家可以在七天内申请退款。\n\n发票由财务部开具。' })
    const [refund] = await find(owner, id, 'When is my money refunded?')
    assert.deepEqual(
      [refund?.['document_id'], refund?.['headings'], refund?.['text']],
      [shop, ['Shop', 'Refunds'], 'Money comes back within 14 days.'],
    )
    assert.equal((await find(owner, id, '退款'))[0]?.['title'], '说明')
    await addReady(owner, id, {
      title: 'Flat',
      format: 'markdown',
      text: '## Cats\n\nPurr.\n\n## Dogs\n\nBark.\n\n#### Puppies\n\nYelp.\n\n### Hounds\n\nHowl.',
    })
    const under = async (said: string) => (await find(owner, id, said))[0]?.['headings']
    assert.deepEqual(await Promise.all(['Bark', 'Yelp', 'Howl'].map(under)), [
      ['Dogs'],
      ['Dogs', 'Puppies'],
      ['Dogs', 'Hounds'],
    ])
    assert.deepEqual((await find(owner, id, '返品できる期間は?'))[0]?.['headings'], ['会社', '返品'])
    assert.deepEqual(await find(owner, id, 'hidden words'), [])
    assert.deepEqual(await find(owner, id, "'); drop table x; -- : | & !"), [])
    const base = dataOf(await owner.get(`${path}/${id}`))
    assert.deepEqual([base['document_count'], base['chunk_count']], [4, 8])
    dataOf(await owner.delete(`${path}/${id}/documents/${shop}`))
    assert.deepEqual(await find(owner, id, 'money refunds'), [])
    assert.equal(dataOf(await owner.get(`${path}/${id}`))['chunk_count'], 6)
  })

  it('index files that their adder may read, and keep them', async () => {
    const { owner } = await createTenant(platform.admin, 'attached')
    const other = await createTenant(platform.admin, 'attached2')
    const id = await makeBase(owner)
    const file = textOf((await uploaded(owner, 'notes.txt', Buffer.from('The moon is made of basalt.')))['id'])
    const document = await addReady(owner, id, { attachment_id: file })
    assert.equal((await find(owner, id, 'moon'))[0]?.['title'], 'notes.txt')
    assert.equal((await owner.delete(`/attachments/${file}`)).status, 409)
    dataOf(await owner.delete(`${path}/${id}/documents/${document}`))
    dataOf(await owner.delete(`/attachments/${file}`))
    const { api: colleague } = await newUser(owner, 'attached', 'anna')
    for (const by of [other.owner, colleague]) {
      const foreign = textOf((await uploaded(by, 'a.txt', Buffer.from('secret')))['id'])
      const refused = await owner.post(`${path}/${id}/documents`, { attachment_id: foreign })
      assert.deepEqual(refusalOf(refused), { status: 422, code: 4229, reason: 'knowledge_invalid' })
    }
    assert.equal((await owner.post(`${path}/${id}/documents`, { url: 'https://me:secret@example.com/' })).status, 422)
    assert.equal((await owner.post(`${path}/${id}/documents`, { title: 'Nothing' })).status, 422)
    assert.equal((await owner.post(`${path}/${id}/documents`, { url: 'file:///etc/passwd' })).status, 422)
  })

  it('index anew without a moment in which nothing is found', async () => {
    const { owner } = await createTenant(platform.admin, 'anew')
    const id = await makeBase(owner)
    const document = await addReady(owner, id, { title: 'Moon', text: 'The moon is made of basalt.' })
    const url = `${path}/${id}/documents/${document}`
    dataOf(await owner.post(`${url}/retry`))
    let looks = 0
    for (let status = 'queued'; status !== 'ready'; looks++) {
      assert.equal((await find(owner, id, 'moon basalt')).length, 1)
      status = textOf(dataOf(await owner.get(url))['status'])
      assert.notEqual(status, 'failed')
    }
    assert.ok(looks > 0)
    assert.equal(dataOf(await owner.get(`${path}/${id}`))['chunk_count'], 1)
    const { knex } = platform.host.kernel.database
    const row = await KnowledgeDocumentRow.acrossTenants(knex).findById(document).throwIfNotFound()
    const terms = ['moon', 'basalt'].map((term) => [term, 1] as const)
    const chunk = { headings: [], page: null, text: 'The moon is made of basalt.', termCount: 2, terms }
    let isOver = false
    const replacing = (async () => {
      while (!isOver) await knex.transaction((trx) => replaceChunks(trx, row, [chunk], {}))
    })()
    const found: number[] = []
    for (let look = 0; look < 100; look++) found.push((await find(owner, id, 'moon basalt')).length)
    isOver = true
    await replacing
    assert.deepEqual(found, Array(100).fill(1))
  })

  it('say what became of a document that cannot be read, and keep what it had', async () => {
    const { owner } = await createTenant(platform.admin, 'broken')
    const id = await makeBase(owner)
    const outcome = async (document: object) => {
      const { status, error } = await settled(owner, id, await addDocument(owner, id, document))
      return [status, error?.['code'], error?.['reason']]
    }
    assert.deepEqual(await outcome({ title: 'Empty', text: '  \n ' }), ['failed', 4008, 'document_empty'])
    const away = await outcome({ url: 'http://127.0.0.1:9/' })
    assert.deepEqual(away, ['failed', 5021, 'document_unreachable'])
    assert.equal(dataOf(await owner.get(`${path}/${id}/documents?status=failed`))['total'], 2)
  })

  it('answer users only what is for them, whatever is asked for', async () => {
    const { owner, id: tenantId } = await createTenant(platform.admin, 'readers')
    const other = await createTenant(platform.admin, 'strangers')
    dataOf(await owner.post('/tenant/roles', { code: 'sales', name: 'Sales', permissions: [] }), 201)
    const parent = dataOf(await owner.post('/tenant/orgs', { name: 'Company' }), 201)['id']
    const child = dataOf(await owner.post('/tenant/orgs', { name: 'North', parent_id: parent }), 201)['id']
    const seller = await newUser(owner, 'readers', 'seller', ['sales'])
    const northerner = await newUser(owner, 'readers', 'north')
    dataOf(await owner.put(`/tenant/orgs/${textOf(child)}/members`, { user_ids: [northerner.id] }))
    const base = await makeBase(owner)
    const document = await addReady(owner, base, { title: 'Canary', text: 'The canary sings in the mine.' })
    const library = platform.host.kernel.services.get(knowledgeLibrary)
    const stranger = await makeBase(other.owner)
    await addReady(other.owner, stranger, { title: 'Foreign', text: 'The canary of the strangers.' })
    const knowledgeBaseIds = [base, stranger]
    const seen = async (access: object) => {
      dataOf(await owner.put(`${path}/${base}`, { access }))
      const found = [seller.id, northerner.id].map(async (userId) => {
        const roles = userId === seller.id ? ['sales'] : []
        const user = { scope: 'tenant', tenantId, userId, roles, permissions: [], can: () => true, sessionId: '' }
        const { chunks } = await retrieval.search(user as Principal, { text: 'canary', knowledgeBaseIds })
        const everywhere = await retrieval.search(user as Principal, { text: 'canary' })
        assert.deepEqual(everywhere.chunks, chunks)
        const whole = [
          ...(await library.list(user as Principal, '', 9)),
          await library.read(user as Principal, document),
        ]
        assert.deepEqual(
          whole.flatMap((each) => each?.title ?? []),
          chunks.flatMap(({ title }) => [title, title]),
        )
        return chunks.map(({ title }) => title)
      })
      return Promise.all(found)
    }
    assert.deepEqual(await seen({ mode: 'all' }), [['Canary'], ['Canary']])
    assert.deepEqual(await seen({ mode: 'restricted' }), [[], []])
    assert.deepEqual(await seen({ mode: 'restricted', roles: ['sales'] }), [['Canary'], []])
    assert.deepEqual(await seen({ mode: 'restricted', org_ids: [parent] }), [[], ['Canary']])
    assert.deepEqual(await seen({ mode: 'restricted', user_ids: [northerner.id] }), [[], ['Canary']])
    assert.equal((await owner.post(`${path}/${stranger}/search`, { query: 'canary' })).status, 404)
    await agentLists(owner, seller.api, northerner.api, knowledgeBaseIds)
  })

  it('are as many as a tenant may have, and no more', async () => {
    const { owner, id: tenantId } = await createTenant(platform.admin, 'many')
    const base = await makeBase(owner)
    const { knex } = platform.host.kernel.database
    const full = `update ai_knowledge_bases set document_count = 10000 where id = ?`
    await knex.raw(full, [base]).queryContext({ tenant: tenantId })
    const another = await owner.post(`${path}/${base}/documents`, { title: 'One', text: 'more' })
    assert.deepEqual(refusalOf(another), { status: 400, code: 4002, reason: 'too_many_documents' })
    await knex
      .raw(
        `insert into ai_knowledge_bases (id, tenant_id, name, description, access_mode, access_roles, access_orgs, access_users, top_k, min_score)
         select 'kb_many_' || n, ?::int, 'Many', '', 'all', '{}', '{}', '{}', 6, 0.2 from generate_series(1, 499) n`,
        [tenantId],
      )
      .queryContext({ tenant: tenantId })
    const refused = await owner.post(path, { name: 'One more' })
    assert.deepEqual(refusalOf(refused), { status: 400, code: 4002, reason: 'too_many_knowledge_bases' })
  })

  it('give citations for the numbers that an answer names, and for none that it makes up', () => {
    const chunk = {
      chunkId: 'chk_1',
      documentId: 'doc_1',
      knowledgeBaseId: 'kb_1',
      title: 'T',
      headings: [],
      page: null,
    }
    const chunks = ['one', 'two'].map((text) => ({ ...chunk, text, score: 0.5 }))
    const found = retrieval.citations('Two [2], again [2, 1], and none [7][0].', chunks)
    assert.deepEqual(
      found.map(({ index, quote }) => [index, quote]),
      [
        [2, 'two'],
        [1, 'one'],
      ],
    )
  })
})

async function agentLists(owner: Api, seller: Api, northerner: Api, knowledgeBaseIds: readonly string[]) {
  const wish = { code: 'helper', name: 'Helper', model: 'demo', knowledge_base_ids: knowledgeBaseIds }
  const agent = textOf(dataOf(await owner.post('/admin/ai/agents', wish), 201)['id'])
  dataOf(await owner.post(`/admin/ai/agents/${agent}/publish`, {}))
  const list = `/ai/agents/${agent}/knowledge-bases`
  assert.deepEqual(listOf(dataOf(await northerner.get(list)), 'name'), ['Help'])
  assert.deepEqual(listOf(dataOf(await seller.get(list)), 'name'), [])
  assert.equal((await seller.get('/ai/agents/agt_none/knowledge-bases')).status, 404)
}
