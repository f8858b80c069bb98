import assert from 'node:assert/strict'
import { textOf } from '../../support/attachments.ts'
import { createTenant, createUser, dataOf, refusalOf, type Platform } from '../../support/platform.ts'
import { listOf, makeAgent, newUser, startWithDemo, tenantWithUser } from './world.ts'

const path = '/admin/ai/agents'

describe('AI agents', () => {
  let platform: Platform
  before(async () => (platform = await startWithDemo()))
  after(() => platform[Symbol.asyncDispose]())

  it('are drafts that nobody sees until they are published, as versions that never change and can be gone back to', async () => {
    const { owner, user } = await tenantWithUser(platform, 'versions')
    const id = await makeAgent(owner, { name: 'First' }, true)
    assert.deepEqual(listOf(dataOf(await user.get('/ai/agents')), 'id'), [])
    const one = dataOf(await owner.post(`${path}/${id}/publish`, { note: 'one' }))
    assert.deepEqual([one['status'], one['active_version'], one['changed']], ['published', 1, false])
    const draft = dataOf(await owner.put(`${path}/${id}`, { name: 'Second', tags: ['new'] }))
    assert.deepEqual([draft['active_version'], draft['changed']], [1, true])
    const names = async () => listOf(dataOf(await user.get('/ai/agents')), 'name')
    assert.deepEqual(await names(), ['First'])
    dataOf(await owner.post(`${path}/${id}/publish`, {}))
    assert.deepEqual(await names(), ['Second'])
    const back = dataOf(await owner.post(`${path}/${id}/publish`, { version: 1 }))
    assert.deepEqual([back['active_version'], back['last_version'], back['changed']], [1, 2, true])
    assert.deepEqual(await names(), ['First'])
    const versions = dataOf(await owner.get(`${path}/${id}/versions`))
    assert.deepEqual(
      [listOf(versions, 'version'), listOf(versions, 'active'), listOf(versions, 'note')],
      [
        [2, 1],
        [false, true],
        ['', 'one'],
      ],
    )
    const first = dataOf(await owner.get(`${path}/${id}/versions?version=1`))
    assert.deepEqual([listOf(first, 'version'), first['total']], [[1], 1])
    const missing = await owner.post(`${path}/${id}/publish`, { version: 9 })
    assert.deepEqual(refusalOf(missing), { status: 404, code: 4040, reason: 'agent_version_not_found' })
    dataOf(await owner.post(`${path}/${id}/unpublish`))
    assert.deepEqual(await names(), [])
    const log = dataOf(await owner.get(`/tenant/audit-logs?target=ai_agent:${id}`))
    assert.deepEqual(
      listOf(log, 'action').map((action) => String(action).replace('ai_agent.', '')),
      ['unpublished', 'rolled_back', 'published', 'updated', 'published', 'created'],
    )
    assert.equal((await owner.post(`${path}/${id}/unpublish`)).status, 409)
    dataOf(await owner.delete(`${path}/${id}`))
    assert.equal((await owner.get(`${path}/${id}`)).status, 404)
    await makeAgent(owner)
  })

  it('show their users neither instructions nor models', async () => {
    const { owner, user } = await tenantWithUser(platform, 'shown')
    const id = await makeAgent(owner, { description: 'Helps', suggested_questions: ['What?'], tags: ['help'] })
    const page = dataOf(await user.get('/ai/agents?q=help&tag=help'))
    const [agent] = page['items'] as unknown as readonly Record<string, unknown>[]
    assert.ok(agent)
    const { published_at: publishedAt, capabilities, ...rest } = agent
    assert.equal(typeof publishedAt, 'string')
    const { attachments, ...can } = capabilities as Record<string, unknown>
    assert.ok((attachments as readonly string[]).includes('application/pdf'))
    assert.deepEqual(
      { ...rest, capabilities: can },
      {
        ...{ id, code: 'helper', name: 'Helper', description: 'Helps', avatar_url: null, tags: ['help'] },
        ...{ opening_message: '', suggested_questions: ['What?'], version: 1, last_used_at: null },
        capabilities: { vision: false, tools: [], knowledge: false, memory: true },
      },
    )
    assert.deepEqual(listOf(dataOf(await user.get(`/ai/agents?id=${id}&page_size=1`)), 'id'), [id])
    for (const query of ['q=none', 'tag=none', 'id=none', `id=${id}&q=none`]) {
      assert.deepEqual(listOf(dataOf(await user.get(`/ai/agents?${query}`)), 'id'), [])
    }
  })

  it('are for everybody, or for roles, nodes with what is below them, and users', async () => {
    const { owner, user, userId } = await tenantWithUser(platform, 'access')
    dataOf(await owner.post('/tenant/roles', { code: 'sales', name: 'Sales', permissions: [] }), 201)
    const parent = dataOf(await owner.post('/tenant/orgs', { name: 'Company' }), 201)['id']
    const child = dataOf(await owner.post('/tenant/orgs', { name: 'North', parent_id: parent }), 201)['id']
    const seller = await newUser(owner, 'access', 'seller', ['sales'])
    const northerner = await newUser(owner, 'access', 'north')
    dataOf(await owner.put(`/tenant/orgs/${textOf(child)}/members`, { user_ids: [northerner.id] }))
    const id = await makeAgent(owner)
    const seers = async (access: object) => {
      dataOf(await owner.put(`${path}/${id}`, { access }))
      const seen = await Promise.all(
        [user, seller.api, northerner.api].map(async (api) => dataOf(await api.get('/ai/agents'))['total'] as unknown),
      )
      const known = await Promise.all(
        [user, seller.api, northerner.api].map(async (api) => dataOf(await api.get(`/ai/agents?id=${id}`))['total']),
      )
      assert.deepEqual(known, seen)
      return seen
    }
    assert.deepEqual(await seers({ mode: 'restricted' }), [0, 0, 0])
    assert.deepEqual(await seers({ mode: 'restricted', roles: ['sales'] }), [0, 1, 0])
    assert.deepEqual(await seers({ mode: 'restricted', org_ids: [parent] }), [0, 0, 1])
    assert.deepEqual(await seers({ mode: 'restricted', user_ids: [userId] }), [1, 0, 0])
    assert.deepEqual(await seers({ mode: 'all' }), [1, 1, 1])
    const wrong = { mode: 'restricted', roles: ['none'], org_ids: [999_999], user_ids: [999_999] }
    const refused = await owner.put(`${path}/${id}`, { access: wrong })
    const fields = (refused.body['errors'] as unknown as { field: string }[]).map(({ field }) => field)
    assert.deepEqual([refused.status, fields], [422, ['access.roles[0]', 'access.org_ids[0]', 'access.user_ids[0]']])
  })

  it('are copied, and leave one installation and enter another as one file', async () => {
    const { owner } = await createTenant(platform.admin, 'files')
    const other = await createTenant(platform.admin, 'elsewhere')
    const id = await makeAgent(owner, { tags: ['a'], temperature: 0.3 })
    const copy = dataOf(await owner.post(`${path}/${id}/duplicate`, { code: 'copy', name: 'Copy' }), 201)
    assert.deepEqual([copy['status'], copy['draft']?.['name'], copy['draft']?.['temperature']], ['draft', 'Copy', 0.3])
    const taken = await owner.post(`${path}/${id}/duplicate`, { code: 'copy' })
    assert.deepEqual(refusalOf(taken), { status: 409, code: 4091, reason: 'agent_code_taken' })
    const file = await owner.get(`${path}/${id}/export`)
    assert.match(String(file.headers['content-disposition']), /helper\.agent\.json/)
    const read = dataOf(await other.owner.post(`${path}/import`, { file: file.body }), 201)
    const mine = dataOf(await owner.get(`${path}/${id}`))
    assert.deepEqual([read['code'], read['draft'], read['access']?.['mode']], ['helper', mine['draft'], 'restricted'])
    const broken = await owner.post(`${path}/import`, { file: { ...file.body, format: 'other' } })
    assert.equal(broken.status, 422)
  })

  it('keep the model that they answer by, unless it is taken by force', async () => {
    const { owner } = await createTenant(platform.admin, 'keepers')
    await makeAgent(owner, { code: 'keeper', model: 'demo@1' })
    const { items } = dataOf(await platform.admin.get('/admin/ai/models?q=demo&kind=chat'))
    const id = (items as unknown as readonly { readonly id: string }[])[0]?.id ?? ''
    const answer = await platform.admin.delete(`/admin/ai/models/${id}`)
    const { by } = answer.body['details'] as unknown as { readonly by: { readonly agents: readonly string[] } }
    assert.deepEqual([refusalOf(answer).code, by.agents.includes('keeper')], [4095, true])
  })

  it('are published only with a model that chats and tools that are there', async () => {
    const { owner } = await createTenant(platform.admin, 'faulty')
    const tools = [{ plugin: 'acme.none', name: 'nothing' }]
    const id = await makeAgent(owner, { model: 'demo-embedding', tools }, true)
    const refused = await owner.post(`${path}/${id}/publish`, {})
    const errors = refused.body['errors'] as unknown as { field: string; rule: string }[]
    assert.deepEqual(
      [refused.status, refused.body['code'], errors.map(({ field, rule }) => [field, rule])],
      [
        422,
        4229,
        [
          ['model', 'chat_model'],
          ['tools[0]', 'known_tool'],
        ],
      ],
    )
    const twice = await owner.put(`${path}/${id}`, { tools: [...tools, ...tools] })
    assert.equal(twice.status, 422)
  })

  it('change only for who has seen the version, and answer the platform with a tenant', async () => {
    const { owner, id: tenantId } = await createTenant(platform.admin, 'writers')
    const id = await makeAgent(owner)
    const stale = await owner.put(`${path}/${id}`, { name: 'X' }, { headers: { 'if-match': '"1"' } })
    assert.equal(stale.status, 412)
    for (const act of ['publish', 'unpublish']) {
      const late = await owner.post(`${path}/${id}/${act}`, {}, { headers: { 'if-match': '"1"' } })
      assert.equal(late.status, 412, act)
    }
    const { admin } = platform
    assert.deepEqual(listOf(dataOf(await admin.get(`${path}?tenant_id=${tenantId}&status=published`)), 'id'), [id])
    const wish = { code: 'staff', name: 'Staff', model: 'demo' }
    assert.equal((await admin.post(path, wish)).status, 422)
    assert.equal(dataOf(await admin.post(path, { ...wish, tenant_id: tenantId }), 201)['tenant_id'], tenantId)
    assert.equal((await owner.post(path, { ...wish, code: 'x', tenant_id: tenantId + 1 })).status, 422)
  })

  it('need permissions, and AI to be switched on', async () => {
    const { owner, user } = await tenantWithUser(platform, 'rights')
    const id = await makeAgent(owner)
    assert.equal((await user.get(path)).status, 403)
    const writer = await createUser(owner, 'rights', ['tenant_agent:detail', 'tenant_agent:update'])
    assert.equal(refusalOf(await writer.post(`${path}/${id}/publish`, {})).code, 4031)
    const nobody = await createUser(owner, 'rights', [])
    assert.equal((await nobody.get('/ai/agents')).status, 403)
    assert.equal((await platform.admin.get('/ai/agents')).status, 403)
    dataOf(await owner.put('/tenant/configs/groups/tenant_feature', { ai_access: false }))
    const off = await user.get('/ai/agents')
    assert.deepEqual(refusalOf(off), { status: 403, code: 4036, reason: 'ai_access_disabled' })
  })
})
