import assert from 'node:assert/strict'
import type { TestKernel } from '../../support/kernel.ts'
import { dataOf, refusalOf } from '../../support/platform.ts'
import { ask, configure, configureTenant, startCaptchas } from './world.ts'

describe('a captcha challenge', () => {
  let host: TestKernel

  beforeEach(async () => {
    host = await startCaptchas()
  })
  afterEach(() => host[Symbol.asyncDispose]())

  it('is a picture unless something else is configured', async () => {
    const before = Date.now()
    const { challenge_id, challenge, expires_at, ...rest } = dataOf(await ask(host.api)) as Readonly<
      Record<string, unknown>
    >
    const { image, ...picture } = challenge as { image: string }
    assert.deepEqual(rest, { provider_code: 'image', expires_in: 120 })
    assert.deepEqual(picture, { type: 'image', width: 160, height: 56, length: 5, case_sensitive: false })
    assert.match(challenge_id as string, /^[\w-]{24}$/)
    assert.match(image, /^data:image\/png;base64,iVBORw0KGgo/)
    assert.ok(Date.parse(expires_at as string) - before >= 120_000)
    assert.ok(Date.parse(expires_at as string) <= Date.now() + 120_000)
  })

  it('is not kept by anybody on the way', async () => {
    assert.equal((await ask(host.api)).headers['cache-control'], 'no-store')
  })

  it('of a plugin says where the plugin’s public routes begin, and asks the plugin for the side that calls', async () => {
    const { challenge, provider_code, public_endpoint } = dataOf(await ask(host.api, { provider_code: 'words' }))
    assert.deepEqual([provider_code, public_endpoint], ['words', '/api/public/plugins/acme.words/api/'])
    const asked = { tenantId: 5, endpoint: 'user', action: 'login', difficulty: 'medium' }
    assert.deepEqual(challenge, { type: 'word', asked })
  })

  it('is had by the name of the plugin too', async () => {
    assert.equal(dataOf(await ask(host.api, { provider_code: 'acme.words' }))['provider_code'], 'words')
  })

  const asked = async (body: object, at?: string): Promise<object> =>
    dataOf(await ask(host.api, { provider_code: 'words', ...body }, at))['challenge']?.['asked'] as object

  it('belongs to the tenant of the host, to the one that is named, or to the platform', async () => {
    const tenants = [{}, { tenant_code: 't7' }, { endpoint: 'admin' }, { endpoint: 'admin', tenant_code: 't7' }]
    const atTenant = await Promise.all(tenants.map(async (body) => (await asked(body)) as { tenantId: number }))
    assert.deepEqual(
      atTenant.map(({ tenantId }) => tenantId),
      [5, 7, 0, 0],
    )
    assert.deepEqual(await asked({}, 'localhost'), {
      ...{ tenantId: 0, endpoint: 'user', action: 'login' },
      difficulty: 'medium',
    })
  })

  it('may be harder than configured, never easier', async () => {
    const lengths = async (): Promise<readonly unknown[]> =>
      Promise.all(
        ['easy', 'medium', 'hard'].map(
          async (difficulty) => dataOf(await ask(host.api, { difficulty }))['challenge']?.['length'],
        ),
      )
    assert.deepEqual(await lengths(), [5, 5, 6])
    await configureTenant(host.api, { captcha_difficulty: 'easy' })
    assert.deepEqual(await lengths(), [4, 5, 6])
    await configureTenant(host.api, { captcha_difficulty: 'hard' })
    assert.deepEqual(await lengths(), [6, 6, 6])
  })

  it('lives as long as configured', async () => {
    await configure(host.api, { captcha_ttl_seconds: 30 })
    assert.equal(dataOf(await ask(host.api))['expires_in'], 30)
  })

  it('comes from the provider that the platform names, or the tenant', async () => {
    const provider = async (at?: string): Promise<unknown> => dataOf(await ask(host.api, {}, at))['provider_code']
    await configure(host.api, { captcha_provider: 'words' })
    assert.deepEqual([await provider(), await provider('localhost')], ['words', 'words'])
    await configureTenant(host.api, { captcha_provider: 'image' })
    assert.deepEqual([await provider(), await provider('localhost')], ['image', 'words'])
    await configureTenant(host.api, { captcha_provider: 'plugin', captcha_plugin: 'acme.words' })
    await configure(host.api, { captcha_provider: 'image' })
    assert.deepEqual([await provider(), await provider('localhost')], ['words', 'image'])
  })

  it('is refused for what is not understood', async () => {
    const bodies = [
      ...[{ endpoint: 'root' }, { action: 'delete' }, { difficulty: 'none' }, { provider_code: '' }, { more: 1 }],
      { provider_code: 'nobody' },
    ]
    for (const body of bodies) {
      const { status, code } = refusalOf(await ask(host.api, body))
      assert.deepEqual({ status, code }, { status: 422, code: 4220 }, JSON.stringify(body))
    }
    assert.deepEqual(refusalOf(await ask(host.api, { provider_code: 'door' })), {
      ...{ status: 403, code: 4039, reason: 'captcha_capability_missing' },
    })
    assert.deepEqual(refusalOf(await ask(host.api, { tenant_code: 't0' })), {
      ...{ status: 404, code: 4041, reason: 'tenant_not_recognised' },
    })
  })

  it('is limited by address, as configured, and says how much is left', async () => {
    await configure(host.api, { captcha_challenge_limit: 2, captcha_verify_limit: 1 })
    const first = await ask(host.api)
    assert.equal(first.headers['ratelimit-policy'], '"captcha-challenge";q=2;w=60')
    assert.match(String(first.headers['ratelimit']), /^"captcha-challenge";r=1;t=\d+$/)
    await ask(host.api)
    const refused = await ask(host.api)
    assert.deepEqual(refusalOf(refused), { status: 429, code: 4293, reason: 'captcha_rate_limited' })
    assert.ok(Number(refused.headers['retry-after']) > 0)
    // The answers are counted apart.
    const answer = { challenge_id: 'unknown', solution: 'x' }
    const answers = [1, 2].map(() => host.api.post('/api/public/captcha/verify', answer))
    assert.deepEqual((await Promise.all(answers)).map(({ status }) => status).sort(), [200, 429])
  })
})
