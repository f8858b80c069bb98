import assert from 'node:assert/strict'
import type { Knex } from 'knex'
import type { Api, Body } from '../../support/api.ts'
import { createTenant, dataOf, refusalOf, startPlatform, type Platform } from '../../support/platform.ts'

type Plain = Readonly<Record<string, unknown>>

const path = '/admin/ai/models'
const minute = 60_000
const at = (milliseconds: number): string => new Date(Date.now() + milliseconds).toISOString()

describe('AI models', () => {
  let platform: Platform
  let acme: { owner: Api; id: number }
  let provider: string
  before(async () => {
    platform = await startPlatform()
    acme = await createTenant(platform.admin, 'acme')
    provider = await makeProvider(platform.admin)
  })
  after(() => platform[Symbol.asyncDispose]())
  beforeEach(() => db()('ai_models').queryContext({ tenant: 'all' }).delete())

  const db = (): Knex => platform.host.kernel.database.knex
  async function makeProvider(by: Api): Promise<string> {
    const vendor = { code: 'vendor', name: 'Vendor', type: 'openai_compatible', base_url: 'https://93.184.216.34/v1' }
    return dataOf(await by.post('/admin/ai/providers', vendor), 201)['id'] as unknown as string
  }
  const wish = () => ({ name: 'chat-fast', kind: 'chat', provider_id: provider, upstream_model: 'gpt-4o-mini' })
  const create = async (by: Api, more: object = {}): Promise<Body & { id: string }> =>
    dataOf(await by.post(path, { ...wish(), ...more }), 201) as Body & { id: string }
  const version = async (id: string, body: object, status = 201): Promise<Body> =>
    dataOf(await platform.admin.post(`${path}/${id}/versions`, body), status)
  const read = async (id: string): Promise<Body> => dataOf(await platform.admin.get(`${path}/${id}`))
  const states = async (id: string): Promise<unknown> =>
    ((await read(id))['versions'] as unknown as Body[]).map((each) => each['state'])
  const rules = ({ body }: { body: Body }): unknown =>
    (body['errors'] as unknown as { field: string; rule: string }[]).map(({ field, rule }) => `${field} ${rule}`)

  it('are made with a first version, and say money in decimals that lose nothing', async () => {
    const more = { reasoning: '1.2', per_request: '0.000000001', per_image: '0.0013' }
    const price = { input: '0.15', cached_input: '0.0375', output: '0.600000', ...more }
    const { id, ...made } = await create(platform.admin, { price, aliases: ['gpt-4o-mini'], tags: ['cheap'] })
    assert.match(id, /^mdl_/)
    const { effective_from: from, ...shown } = made['price'] as unknown as Body
    assert.ok(from)
    assert.deepEqual(shown, {
      ...{ currency: 'USD', unit: '1M tokens', input: '0.15', cached_input: '0.0375', output: '0.6' },
      ...more,
    })
    assert.deepEqual([made['active_version'], made['version'], made['display_name']], [1, 1, 'chat-fast'])
    for (const input of ['0.0000001', '-1', '1e3', '.5', 0.15]) {
      const refused = await platform.admin.post(path, { ...wish(), name: 'x', price: { input, output: '1' } })
      assert.equal(refused.status, 422, String(input))
    }
  })

  it('have names that no other model of their scope has, by name or alias', async () => {
    await create(platform.admin, { aliases: ['fast'] })
    const taken = await platform.admin.post(path, { ...wish(), name: 'other', aliases: ['x', 'fast', 'chat-fast'] })
    assert.deepEqual(rules(taken), ['aliases[1] taken', 'aliases[2] taken'])
    await create(platform.admin, { tenant_id: acme.id })
    const { id } = await create(platform.admin, { name: 'other' })
    assert.deepEqual(rules(await platform.admin.put(`${path}/${id}`, { name: 'fast' })), ['name taken'])
    dataOf(await platform.admin.put(`${path}/${id}`, { name: 'third', aliases: ['other'] }))
    dataOf(await platform.admin.delete(`${path}/${id}`))
    await create(platform.admin, { name: 'third' })
  })

  it('are changed in their head alone, by who has seen the version', async () => {
    const { id } = await create(platform.admin)
    const stale = await platform.admin.put(`${path}/${id}`, { tags: ['a'] }, { headers: { 'if-match': '"9"' } })
    assert.equal(refusalOf(stale).code, 4120)
    const changed = await platform.admin.put(`${path}/${id}`, { tags: ['a'], status: 'deprecated' })
    assert.deepEqual([changed.headers['etag'], dataOf(changed)['status']], ['"2"', 'deprecated'])
    assert.equal((await platform.admin.put(`${path}/${id}`, { upstream_model: 'x' })).status, 422)
    dataOf(await platform.admin.delete(`${path}/${id}`))
    const logged = async (what: string) => {
      const { items } = dataOf(await platform.admin.get(`/admin/audit-logs?action=ai_model.${what}`))
      const entries = (items as unknown as readonly Plain[]).filter(({ target }) => target === `ai_model:${id}`)
      return entries.map(({ before, after }) => [(before as Plain)['tags'], (after as Plain | null)?.['tags']])
    }
    assert.deepEqual(await logged('updated'), [[[], ['a']]])
    assert.deepEqual(await logged('deleted'), [[['a'], undefined]])
  })

  it('get versions that say what they change, and go back at once', async () => {
    const { id } = await create(platform.admin, { price: { input: '0.15', output: '0.6' } })
    const second = await version(id, { price: { input: '0.12' }, upstream_model: 'gpt-5', note: 'price cut' })
    const listed = dataOf(await platform.admin.get(`${path}/${id}/versions`))
    const { versions } = dataOf(await platform.admin.get(`${path}/${id}`))
    assert.deepEqual(listed, { items: versions, comparison: null })
    assert.equal((versions as unknown as Body[]).length, 2)
    assert.equal(refusalOf(await platform.admin.get(`${path}/mdl_none/versions`)).code, 4048)
    assert.deepEqual(second, {
      ...{ version: 2, state: 'active', replaces: 1 },
      diff: [
        { path: 'upstream_model', from: 'gpt-4o-mini', to: 'gpt-5' },
        { path: 'price.input', from: '0.15', to: '0.12' },
      ],
    })
    assert.equal((await read(id))['upstream_model'], 'gpt-5')
    assert.deepEqual(await version(id, { activate_version: 1 }, 200), {
      ...{ version: 1, state: 'active', replaces: 2 },
      diff: [
        { path: 'upstream_model', from: 'gpt-5', to: 'gpt-4o-mini' },
        { path: 'price.input', from: '0.12', to: '0.15' },
      ],
    })
    assert.deepEqual(await states(id), ['active', 'retired'])
    const logged = async (what: string): Promise<number> => {
      const { items } = dataOf(await platform.admin.get(`/admin/audit-logs?action=ai_model.${what}`))
      return (items as unknown as { target: string }[]).filter(({ target }) => target === `ai_model:${id}`).length
    }
    const log = await Promise.all(['created', 'version_created', 'version_activated'].map(logged))
    assert.deepEqual(log, [1, 1, 1], 'all of it is in the log of what was done')
    assert.equal((await version(id, { activate: false, max_output_tokens: 10 }))['state'], 'draft')
    assert.deepEqual(rules(await platform.admin.post(`${path}/${id}/versions`, { activate_version: 9, note: 'x' })), [
      'activate_version known',
      'note alone',
    ])
  })

  it('get versions later, or for a part of the requests, which going back ends', async () => {
    const { id } = await create(platform.admin)
    assert.equal((await version(id, { upstream_model: 'a', effective_from: at(60 * minute) }))['state'], 'scheduled')
    const canary = { percent: 10, until: at(30 * minute) }
    assert.equal((await version(id, { upstream_model: 'b', canary }))['state'], 'canary')
    assert.deepEqual(await states(id), ['active', 'scheduled', 'canary'])
    await version(id, { activate_version: 1 }, 200)
    assert.deepEqual(await states(id), ['active', 'draft', 'aborted'])
    const early = { ...canary, until: at(-minute) }
    assert.deepEqual(rules(await platform.admin.post(`${path}/${id}/versions`, { canary: early })), [
      'canary.until later',
    ])
  })

  it('of a tenant are called by providers of its own, unless the platform says otherwise', async () => {
    assert.deepEqual(rules(await acme.owner.post(path, wish())), ['provider_id known'])
    const own = await makeProvider(acme.owner)
    const mine = await create(acme.owner, { provider_id: own })
    assert.deepEqual(rules(await platform.admin.post(path, { ...wish(), provider_id: own })), ['provider_id known'])
    const lent = await create(platform.admin, { tenant_id: acme.id, name: 'lent' })
    const raised = await acme.owner.post(`${path}/${lent.id}/versions`, { upstream_model: 'dearest' })
    assert.deepEqual(rules(raised), ['provider_id known'])
    const ofPlatform = await create(platform.admin)
    for (const answer of [
      await acme.owner.get(`${path}/${ofPlatform.id}`),
      await acme.owner.put(`${path}/${ofPlatform.id}`, { tags: [] }),
      await acme.owner.post(`${path}/${ofPlatform.id}/versions`, { note: 'x' }),
      await acme.owner.delete(`${path}/${ofPlatform.id}`),
    ]) {
      assert.deepEqual(refusalOf(answer), { status: 404, code: 4048, reason: 'model_not_found' })
    }
    assert.equal(dataOf(await acme.owner.get(path))['total'], 2)
    assert.equal(dataOf(await platform.admin.get(`${path}?provider_id=${own}&kind=chat`))['total'], 1)
    assert.equal(dataOf(await platform.admin.get(`${path}?tag=none`))['total'], 0)
    assert.ok(mine.id)
  })

  it('name two who want one name at once, one after the other', async () => {
    const both = await Promise.all([1, 2, 3].map(() => platform.admin.post(path, wish())))
    assert.deepEqual(both.map(({ status }) => status).sort(), [201, 422, 422])
  })

  it('keep their provider, unless it is taken from them by force', async () => {
    const { id } = await create(platform.admin)
    const gone = await makeSecond()
    await version(id, { provider_id: gone })
    const refused = await platform.admin.delete(`/admin/ai/providers/${gone}`)
    assert.deepEqual(
      [refusalOf(refused), refused.body['details']],
      [{ status: 409, code: 4095, reason: 'provider_in_use' }, { by: { models: ['chat-fast'] } }],
    )
    dataOf(await platform.admin.delete(`/admin/ai/providers/${gone}?force=true`))
  })

  async function makeSecond(): Promise<string> {
    const vendor = { code: 'second', name: 'Second', type: 'openai_compatible', base_url: 'https://93.184.216.34/v1' }
    return dataOf(await platform.admin.post('/admin/ai/providers', vendor), 201)['id'] as unknown as string
  }
})
