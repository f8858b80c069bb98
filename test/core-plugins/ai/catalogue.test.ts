import assert from 'node:assert/strict'
import type { Knex } from 'knex'
import { createSecretBox, generateFernetKey } from '#kernel'
import { loadCatalogue } from '../../../core-plugins/ai/catalogue/load-catalogue.ts'
import type { Catalogue, CatalogueFacts } from '../../../core-plugins/ai/catalogue/types.ts'
import { ProviderSecrets } from '../../../core-plugins/ai/providers/secrets.ts'
import { vendorOf } from '../../../core-plugins/ai/wire/vendors/vendor-of.ts'
import type { Api, Body } from '../../support/api.ts'
import { createTenant, dataOf, startPlatform, type Platform } from '../../support/platform.ts'

const key = generateFernetKey()
const hour = 3_600_000

describe('the catalogue of AI models', () => {
  let platform: Platform
  let acme: { owner: Api; id: number }
  let provider: string
  let own: string
  before(async () => {
    platform = await startPlatform({ env: { CONFIG_FERNET_KEYS: key } })
    acme = await createTenant(platform.admin, 'acme')
    provider = await makeProvider(platform.admin)
    own = await makeProvider(acme.owner)
  })
  after(() => platform[Symbol.asyncDispose]())
  beforeEach(async () => {
    for (const table of ['ai_routes', 'ai_models']) await db()(table).queryContext({ tenant: 'all' }).delete()
  })

  const db = (): Knex => platform.host.kernel.database.knex
  const idOf = ({ id }: Body): string => id as unknown as string
  const load = (fernetKeys = [key]): Promise<Catalogue> => {
    const secrets = new ProviderSecrets(createSecretBox({ fernetKeys, appSecret: '' }))
    return loadCatalogue({ db: db(), secrets, vendorOf: ({ type }) => vendorOf(type) })
  }
  async function makeProvider(by: Api): Promise<string> {
    const vendor = { code: 'vendor', name: 'Vendor', type: 'openai_compatible', base_url: 'https://93.184.216.34/v1' }
    const more = { credentials: { api_key: 'sk-secret' }, timeouts: { idle_ms: 900 }, limits: { rpm: 60 } }
    return idOf(dataOf(await by.post('/admin/ai/providers', { ...vendor, ...more }), 201))
  }
  async function makeModel(by: Api, name: string, more: object = {}): Promise<string> {
    const providerId = by === acme.owner ? own : provider
    const model = { name, kind: 'chat', provider_id: providerId, upstream_model: `${name}-1` }
    return idOf(dataOf(await by.post('/admin/ai/models', { ...model, ...more }), 201))
  }
  const version = async (id: string, body: object): Promise<Body> =>
    dataOf(await platform.admin.post(`/admin/ai/models/${id}/versions`, body), 201)
  const upstream = (catalogue: Catalogue, name: string, tenantId = 0, pick = 0.5): string | undefined =>
    catalogue.model(name, tenantId, pick)?.upstreamModel
  const addRoute = async (by: Api, name: string, more: object): Promise<void> =>
    void dataOf(
      await by.post('/admin/ai/gateway/routes', { name, targets: [{ id: 't1', model: 'fast' }], ...more }),
      201,
    )
  const facts = (catalogue: Catalogue, name: string, tenantId: number, more: Partial<CatalogueFacts> = {}) => {
    const model = catalogue.model(name, tenantId, 0.5)
    assert.ok(model)
    return { ...{ model, tenantId, keyId: undefined, agentId: undefined, hasTools: false, inputTokens: 10 }, ...more }
  }

  it('finds a model by name, alias and id, the tenant’s own before the platform’s, and not what is disabled', async () => {
    const id = await makeModel(platform.admin, 'fast', { aliases: ['gpt'] })
    await makeModel(acme.owner, 'gpt')
    await makeModel(platform.admin, 'off', { status: 'disabled' })
    const catalogue = await load()
    const found = [upstream(catalogue, 'gpt'), upstream(catalogue, 'gpt', acme.id), upstream(catalogue, id, acme.id)]
    assert.deepEqual(found, ['fast-1', 'gpt-1', 'fast-1'])
    assert.deepEqual(
      [upstream(catalogue, 'off'), upstream(catalogue, 'gpt@9'), upstream(catalogue, 'none')],
      [undefined, undefined, undefined],
    )
    const mine = catalogue.model('gpt', acme.id, 0)?.id ?? ''
    assert.equal(catalogue.model(mine, 0, 0), undefined)
    assert.deepEqual(
      [catalogue.modelsFor(acme.id), catalogue.modelsFor(0)].map((list) => list.map(({ name }) => name)),
      [['fast', 'gpt'], ['fast']],
    )
  })

  it('gives a request its version: the active one, the pinned one, or the canary for its part', async () => {
    const id = await makeModel(platform.admin, 'fast', { price: { input: '0.15', output: '0.6', per_request: '0.1' } })
    const until = new Date(Date.now() + hour).toISOString()
    await version(id, { upstream_model: 'fast-2', canary: { percent: 10, until } })
    await version(id, { upstream_model: 'fast-3', effective_from: until })
    const catalogue = await load()
    assert.deepEqual(
      [0, 0.0999, 0.1, 0.99].map((pick) => upstream(catalogue, 'fast', 0, pick)),
      ['fast-2', 'fast-2', 'fast-1', 'fast-1'],
    )
    assert.equal(upstream(catalogue, 'fast@3'), 'fast-3')
    assert.deepEqual(catalogue.model('fast', 0, 1)?.prices, {
      ...{ input: 150_000, output: 600_000, cachedInput: undefined, cacheWrite: undefined, perRequest: 100_000_000n },
      ...{ perImage: undefined, reasoning: undefined },
    })
  })

  it('knows providers with their secrets, and none of one whose secrets cannot be opened', async () => {
    const [good, bad] = [await load(), await load([generateFernetKey()])]
    const { secrets, timeouts, limits, baseUrl } = good.provider(provider) ?? {}
    assert.deepEqual(
      [secrets, timeouts, baseUrl],
      [{ api_key: 'sk-secret' }, { idleMs: 900 }, 'https://93.184.216.34/v1'],
    )
    assert.equal(limits?.rpm, 60)
    assert.deepEqual([bad.provider(provider)?.secrets, bad.provider(provider)?.code], [undefined, 'vendor'])
    dataOf(await platform.admin.put(`/admin/ai/providers/${provider}`, { status: 'disabled' }))
    assert.equal((await load()).provider(provider), undefined)
    dataOf(await platform.admin.put(`/admin/ai/providers/${provider}`, { status: 'enabled' }))
  })

  it('finds the route of a request, the tenant’s own first, then by priority and what it is for', async () => {
    await makeModel(platform.admin, 'fast', { aliases: ['gpt'] })
    await makeModel(platform.admin, 'long')
    await addRoute(platform.admin, 'all', { priority: 1 })
    await addRoute(platform.admin, 'gpt with tools', { match: { models: ['gpt'], when: { has_tools: true } } })
    await addRoute(platform.admin, 'large', { priority: 200, match: { when: { input_tokens_gt: 1_000 } } })
    await addRoute(platform.admin, 'of a key', { priority: 300, match: { keys: ['key_1'] } })
    await addRoute(platform.admin, 'off', { priority: 900, enabled: false })
    await makeModel(platform.admin, 'rare')
    await addRoute(platform.admin, 'for acme', { priority: 800, match: { models: ['rare'], tenants: [acme.id] } })
    const before = await load()
    const named = (
      catalogue: Catalogue,
      ...about: Parameters<typeof facts> extends [unknown, ...infer R] ? R : never
    ) => catalogue.route(facts(catalogue, ...about))?.name
    assert.deepEqual(
      [
        named(before, 'long', acme.id),
        named(before, 'fast', acme.id, { hasTools: true }),
        named(before, 'fast', acme.id, { hasTools: true, inputTokens: 2_000 }),
        named(before, 'long', 0, { keyId: 'key_1' }),
        ...[named(before, 'rare', acme.id), named(before, 'rare', 0)],
      ],
      ['all', 'gpt with tools', 'large', 'of a key', 'for acme', 'all'],
    )
    await addRoute(acme.owner, 'own', { priority: 0, match: { models: ['gpt'] } })
    const after = await load()
    assert.deepEqual(
      [named(after, 'gpt', acme.id), named(after, 'gpt', 0), named(after, 'long', acme.id)],
      [...['own', 'all', 'all']],
    )
  })

  it('does not let a tenant’s model stand in for one that a route of the platform names', async () => {
    const meant = await makeModel(platform.admin, 'fast')
    await addRoute(platform.admin, 'all', { targets: [{ id: 't1', model: 'fast@1', provider_id: provider }] })
    await makeModel(acme.owner, 'fast')
    const catalogue = await load()
    assert.equal(catalogue.route(facts(catalogue, 'fast', acme.id)), undefined)
    const [target] = catalogue.route(facts(catalogue, meant, acme.id))?.targets ?? []
    assert.equal(target?.model, `${meant}@1`)
    assert.equal(upstream(catalogue, target?.model ?? '', acme.id), 'fast-1')
  })
})
