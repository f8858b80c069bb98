import assert from 'node:assert/strict'
import type { Knex } from 'knex'
import { createSecretBox, generateFernetKey, rotateSecrets } from '#kernel'
import ai from '../../../core-plugins/ai/index.ts'
import type { Api, Body } from '../../support/api.ts'
import { createTenant, createUser, dataOf, refusalOf, startPlatform, type Platform } from '../../support/platform.ts'

const key = 'sk-this-is-a-key-of-the-vendor-9f2a'
const path = '/admin/ai/providers'
const allowed = 'http://vendor.localhost:4010/v1'
const openai = { code: 'openai', name: 'OpenAI', type: 'openai_compatible', base_url: allowed }
const [old, fresh] = [generateFernetKey(), generateFernetKey()]

describe('AI providers', () => {
  let platform: Platform
  let acme: { owner: Api; id: number }
  let other: { owner: Api; id: number }
  before(async () => {
    const env = { EGRESS_ALLOW_PRIVATE: 'vendor.localhost:4010,other.localhost:4010', CONFIG_FERNET_KEYS: old }
    platform = await startPlatform({ env })
    acme = await createTenant(platform.admin, 'acme')
    other = await createTenant(platform.admin, 'other')
  })
  after(() => platform[Symbol.asyncDispose]())
  beforeEach(() => db()('ai_providers').queryContext({ tenant: 'all' }).delete())

  const db = (): Knex => platform.host.kernel.database.knex
  const create = async (by: Api, more: object = {}): Promise<Body> =>
    dataOf(await by.post(path, { ...openai, ...more }), 201)
  const idOf = ({ id }: Body): string => id as unknown as string
  const rules = ({ body }: { body: Body }): unknown =>
    (body['errors'] as unknown as { field: string; rule: string }[]).map(({ field, rule }) => `${field} ${rule}`)

  it('are made, read, changed and deleted; of a secret only its end is ever shown', async () => {
    const made = await create(platform.admin, { credentials: { api_key: key }, headers: { 'X-Org': 'a' } })
    const { id, credentials, created_at, updated_at, ...rest } = made as unknown as {
      id: string
      credentials: Body
      created_at: string
      updated_at: string
    }
    assert.match(id, /^prv_[0-9A-HJKMNP-TV-Z]{26}$/)
    assert.equal(typeof created_at, typeof updated_at)
    assert.deepEqual(rest, {
      ...{ ...openai, plugin: null, settings: {}, scope: 'platform', tenant_id: null, region: null },
      ...{ headers: { 'x-org': 'a' }, timeouts: {}, limits: {}, status: 'enabled', version: 1 },
      health: {
        ...{ state: 'healthy', score: 1, success_rate_5m: null, ttft_p50_ms: null, breaker: null },
        ...{ cooldown_until: null, last_error: null },
      },
    })
    const { rotated_at: rotatedAt, ...secret } = credentials['api_key'] as Record<string, unknown>
    assert.deepEqual(secret, { set: true, hint: '…9f2a', state: 'ok' })
    assert.ok(rotatedAt)
    const changed = await platform.admin.put(`${path}/${id}`, { name: 'Vendor', limits: { rpm: 60 } })
    assert.deepEqual(
      [changed.headers['etag'], dataOf(changed)['name'], dataOf(changed)['version']],
      ['"2"', 'Vendor', 2],
    )
    assert.equal(dataOf(await platform.admin.put(`${path}/${id}`, { name: 'Vendor' }))['version'], 2)
    const cleared = dataOf(await platform.admin.put(`${path}/${id}`, { credentials: { api_key: null } }))
    assert.equal((cleared['credentials'] as unknown as Body)['api_key']?.['state'], 'missing')
    dataOf(await platform.admin.delete(`${path}/${id}`))
    assert.deepEqual(refusalOf(await platform.admin.get(`${path}/${id}`)), {
      ...{ status: 404, code: 4048, reason: 'provider_not_found' },
    })
    await create(platform.admin)
  })

  it('are changed by who has seen the version, and have codes of their own', async () => {
    const id = idOf(await create(platform.admin))
    const stale = await platform.admin.put(`${path}/${id}`, { name: 'x' }, { headers: { 'if-match': '"7"' } })
    assert.equal(refusalOf(stale).code, 4120)
    dataOf(await platform.admin.put(`${path}/${id}`, { name: 'x' }, { headers: { 'if-match': '"1"' } }))
    assert.equal(refusalOf(await platform.admin.post(path, openai)).reason, 'provider_code_taken')
    await create(platform.admin, { tenant_id: acme.id })
  })

  it('of one tenant are not there for another, whatever it asks', async () => {
    const id = idOf(await create(acme.owner))
    const ofPlatform = idOf(await create(platform.admin))
    for (const foreign of [id, ofPlatform]) {
      const asked = [
        await other.owner.get(`${path}/${foreign}`),
        await other.owner.put(`${path}/${foreign}`, { name: 'mine' }),
        await other.owner.delete(`${path}/${foreign}`),
      ]
      assert.deepEqual(
        asked.map(({ status }) => status),
        [404, 404, 404],
      )
    }
    assert.equal(dataOf(await other.owner.get(path))['total'], 0)
    assert.equal(dataOf(await acme.owner.get(path))['total'], 1)
    assert.equal(dataOf(await platform.admin.get(path))['total'], 2)
    assert.equal(dataOf(await platform.admin.get(`${path}?tenant_id=${acme.id}&q=open`))['total'], 1)
    assert.deepEqual(rules(await other.owner.post(path, { ...openai, tenant_id: acme.id })), ['tenant_id own_tenant'])
    assert.equal(
      refusalOf(await platform.admin.post(path, { ...openai, tenant_id: 99_999 })).reason,
      'tenant_not_found',
    )
    const clerk = await createUser(acme.owner, 'acme', ['tenant_ai_provider:list'])
    assert.deepEqual([(await clerk.get(path)).status, (await clerk.get(`${path}/${id}`)).status], [200, 403])
  })

  it('are where the operator lets requests go, in the clear only where it is said', async () => {
    const refused = async (base_url: string | null): Promise<unknown> =>
      rules(await platform.admin.post(path, { ...openai, base_url }))
    assert.deepEqual(await refused('http://169.254.169.254/v1'), ['base_url address_forbidden'])
    assert.deepEqual(await refused('https://10.0.0.7/v1'), ['base_url address_forbidden'])
    assert.deepEqual(await refused('http://93.184.216.34/v1'), ['base_url https'])
    assert.deepEqual(await refused('https://me:you@93.184.216.34/v1'), ['base_url format'])
    assert.deepEqual(await refused('https://93.184.216.34/v1?key=1'), ['base_url format'])
    assert.deepEqual(await refused(null), ['base_url required'])
    await create(platform.admin, { base_url: 'https://93.184.216.34/v1/' })
  })

  it('hold what fits their type', async () => {
    const refused = async (more: object): Promise<unknown> =>
      rules(await platform.admin.post(path, { ...openai, ...more }))
    assert.deepEqual(await refused({ type: 'demo' }), ['base_url not_for_type'])
    assert.deepEqual(await refused({ type: 'plugin' }), ['plugin required'])
    assert.deepEqual(await refused({ type: 'plugin', plugin: { name: 'acme.none', provider: 'x' } }), [
      'plugin plugin_provider',
    ])
    assert.deepEqual(await refused({ settings: { a: 1 } }), ['settings not_for_type'])
    assert.deepEqual(await refused({ credentials: { password: 'x' } }), ['credentials.password not_for_type'])
    assert.deepEqual(await refused({ headers: { 'x-api-key': 'x', host: 'y' } }), [
      'headers.x-api-key secret_header',
      'headers.host reserved_header',
    ])
    const refusedAs = async (rule: string, ...names: readonly string[]): Promise<void> => {
      const headers = Object.fromEntries(names.map((name) => [name, 'x']))
      assert.deepEqual(
        await refused({ headers }),
        names.map((name) => `headers.${name} ${rule}`),
      )
    }
    await refusedAs(
      'secret_header',
      'authorization',
      'api-key',
      'x-goog-api-key',
      'cookie',
      'x-auth-token',
      'my-secret',
    )
    await refusedAs('reserved_header', 'content-length', 'transfer-encoding', 'connection', 'upgrade', 'trailer')
  })

  it('keep a secret for the address that it was given for', async () => {
    const id = idOf(await create(platform.admin, { credentials: { api_key: key } }))
    const elsewhere = { base_url: 'http://other.localhost:4010/v1' }
    assert.deepEqual(rules(await platform.admin.put(`${path}/${id}`, elsewhere)), ['credentials.api_key secret_again'])
    dataOf(await platform.admin.put(`${path}/${id}`, { ...elsewhere, credentials: { api_key: key } }))
    dataOf(await platform.admin.put(`${path}/${id}`, { base_url: allowed, credentials: { api_key: null } }))
  })

  it('never show a secret: not in a list, not in the log of what was done, not in the database', async () => {
    const id = idOf(await create(platform.admin, { credentials: { api_key: key } }))
    await platform.admin.put(`${path}/${id}`, { credentials: { api_key: `${key}2` } })
    const shown = [
      await platform.admin.get(path),
      await platform.admin.get(`${path}/${id}`),
      await platform.admin.get('/admin/audit-logs?limit=200'),
    ]
    const short = await create(platform.admin, { code: 'short', credentials: { api_key: 'elevenchars' } })
    assert.equal((short['credentials'] as unknown as Body)['api_key']?.['hint'], '…', 'of a short one not even its end')
    const rows = await db()('ai_provider_secrets').queryContext({ tenant: 'all' })
    assert.doesNotMatch(JSON.stringify([shown, rows]), /sk-this-is/)
    assert.match(JSON.stringify(shown[2]?.body), new RegExp(`ai_provider.updated.*ai_provider:${id}`))
    dataOf(await platform.admin.delete(`${path}/${id}`))
    const left = await db()('ai_provider_secrets').queryContext({ tenant: 'all' }).pluck<string[]>('provider_id')
    assert.deepEqual(left, [idOf(short)], 'those of one that was deleted are gone')
  })

  it('lose a secret that was moved to another row, and say so', async () => {
    const [one, two] = [
      idOf(await create(platform.admin, { credentials: { api_key: key } })),
      idOf(await create(platform.admin, { code: 'two', credentials: { api_key: 'another-secret' } })),
    ]
    const rows = () => db()('ai_provider_secrets').queryContext({ tenant: 'all' })
    await rows()
      .where({ provider_id: two })
      .update({ sealed: db()('ai_provider_secrets').where({ provider_id: one }).select('sealed') })
    const moved = dataOf(await platform.admin.get(`${path}/${two}`))
    assert.equal((moved['credentials'] as unknown as Body)['api_key']?.['state'], 'undecryptable')
  })

  it('have their secrets brought under a new key with all others', async () => {
    const id = idOf(await create(platform.admin, { credentials: { api_key: key } }))
    const rotate = (...fernetKeys: string[]) => rotateSecrets({ db: db(), fernetKeys, columns: ai.sealed ?? [] })
    const { columns, opened } = await rotate(fresh, old)
    assert.deepEqual(
      [columns, opened],
      [
        [
          { table: 'ai_provider_secrets', column: 'sealed', resealed: 1, current: 0, unreadable: 0 },
          { table: 'ai_alert_rules', column: 'webhook', resealed: 0, current: 0, unreadable: 0 },
          { table: 'ai_request_payloads', column: 'sealed', resealed: 0, current: 0, unreadable: 0 },
        ],
        [1, 0],
      ],
    )
    const row = await db()<{ sealed: string }>('ai_provider_secrets').queryContext({ tenant: 'all' }).first('sealed')
    assert.ok(row)
    const box = createSecretBox({ fernetKeys: [fresh], appSecret: '' })
    assert.equal(box.openBound(row.sealed, ['ai_provider_secrets', id, 'api_key', '0']), key)
    assert.throws(() => box.openBound(row.sealed, ['ai_provider_secrets', id, 'api_key', '1']), { code: 5005 })
    assert.equal((await rotate(generateFernetKey())).columns[0]?.unreadable, 1)
  })
})
