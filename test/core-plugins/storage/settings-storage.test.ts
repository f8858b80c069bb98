import assert from 'node:assert/strict'
import type { Answer, Body } from '../../support/api.ts'
import { dataOf, refusalOf } from '../../support/platform.ts'
import { s3Secret } from '../../support/s3-server.ts'
import { setGroup, setupStorageWorld, stepsOf, type StorageWorld } from '../../support/storage-world.ts'

const storage = '/tenant/configs/storage'

describe('settings of storage over HTTP', () => {
  let world: StorageWorld
  before(async () => void (world = await setupStorageWorld()))
  after(() => world[Symbol.asyncDispose]())

  const tested = (config: object, driver = 's3', locale = 'en'): Promise<Answer> =>
    world.admin.post('/configs/storage/test-connection', { driver, config }, { headers: { 'accept-language': locale } })
  const faultsOf = ({ body }: Answer): readonly string[] =>
    (body['errors'] as unknown as readonly { field: string; rule: string }[])
      .map(({ field, rule }) => `${field} ${rule}`)
      .toSorted()

  it('are refused with each fault once, by its name', async () => {
    const bare = await tested({ provider: 'minio' })
    assert.deepEqual(refusalOf(bare), { status: 422, code: 4222, reason: 'storage_config_invalid' })
    const missing = ['access_key_id', 'bucket', 'endpoint', 'secret_access_key'].map(
      (name) => `config.${name} required`,
    )
    assert.deepEqual(faultsOf(bare), missing)
    const { endpoint, ...aws } = world.s3.config({ provider: 'aws' })
    assert.equal(typeof endpoint, 'string')
    const cases: readonly (readonly [config: object, faults: readonly string[]])[] = [
      [{ ...aws, presign_ttl: 0 }, ['config.presign_ttl min_value']],
      [{ ...aws, bucket: 'A_b' }, ['config.bucket pattern']],
      [{ ...aws, provider: 'nobody', endpoint: 'https://s.test' }, ['config.provider options']],
      [{ ...aws, force_path_style: 'yes' }, ['config.force_path_style type']],
      [{ ...aws, __proto__x: 1, secret: 's' }, ['config.__proto__x unknown_field', 'config.secret unknown_field']],
      [{ ...aws, prefix: '../other' }, ['config.prefix pattern']],
      [{ ...aws, secret_access_key: '' }, ['config.secret_access_key min_length']],
    ]
    const found: unknown[] = []
    for (const [config] of cases) found.push(faultsOf(await tested(config)))
    assert.deepEqual(
      found,
      cases.map(([, faults]) => faults),
    )
    for (const root of ['/', '../x', 'var/pg', 'packages', '/a/../b', 'var/storage/..', '/a b', 7, '']) {
      const answer = await tested({ root }, 'local')
      assert.deepEqual([answer.status, answer.body['code']], [422, 4222], String(root))
    }
  })

  it('that fail are told in the reader’s language, at the step, and what was put is cleared away', async () => {
    const steps: readonly (readonly [operation: string, fault: object, step: string])[] = [
      ['put', { kind: 'status', status: 403, code: 'AccessDenied' }, 'put: AccessDenied'],
      ['head', { kind: 'status', status: 404, code: 'NoSuchKey' }, 'head: wrong_content'],
      ['get', { kind: 'cut-answer' }, 'get: connection_failed'],
      ['delete', { kind: 'status', status: 403, code: 'AccessDenied' }, 'delete: AccessDenied'],
    ]
    for (const [on, fault, step] of steps) {
      await world.s3.fail({ on, kind: 'status', ...fault })
      const answer = await tested(world.s3.config(), 's3', 'zh-CN')
      const data = dataOf(answer) as unknown as {
        ok: boolean
        steps: readonly { name: string; error?: { message: string } }[]
      }
      const said = data.steps.find(({ error }) => error)?.error?.message ?? ''
      assert.deepEqual([data.ok, stepsOf(answer).find((text) => text.includes(': '))], [false, step])
      assert.match(said, /\p{Script=Han}/u)
    }
    await world.s3.forget()
  })

  it('that a tenant chose and the platform has to approve hold from then on, and not before', async () => {
    await setGroup(world.admin, 'platform_tenant_policy', { tenant_config_approval: 'sensitive' })
    const { secret_access_key: secret, ...open } = world.s3.config({ base_url: 'https://eu.test' })
    await setGroup(world.admin, 'platform_tenant_storage', {
      tenant_storage_profiles: [{ id: 'eu', name: 'Europe', driver: 's3', config: open }],
      tenant_storage_profile_secrets: { 'eu.secret_access_key': secret },
    })
    const shown = async (): Promise<unknown> => {
      const told = await world.owner.get('/api/public/tenant/config', { host: 'acme.localhost' })
      const { driver, base_url: base } = dataOf(told)['storage'] as Body
      const { effective } = dataOf(await world.owner.get(`${storage}/status`))
      return [driver, base, effective?.['source'], effective?.['profile_id']]
    }
    const asked = await world.owner.put(storage, { profile_id: 'eu' })
    assert.equal(asked.status, 202)
    assert.deepEqual(dataOf(asked, 202)['pending'], ['storage_profile', 'storage_driver', 'storage_base_url'])
    assert.deepEqual(await shown(), ['local', '', 'platform', null])
    const { items } = dataOf(await world.admin.get('/admin/configs/changes')) as unknown as { items: readonly Body[] }
    assert.doesNotMatch(JSON.stringify(items), new RegExp(s3Secret.replaceAll('+', '\\+')))
    const id = Number(items[0]?.['id'])
    dataOf(await world.admin.post(`/admin/configs/changes/${id}/approve`, {}))
    assert.deepEqual(await shown(), ['s3', 'https://eu.test', 'profile', 'eu'])
    // Nor longer than the platform lets tenants have its driver.
    const allow = (...drivers: readonly string[]) =>
      setGroup(world.admin, 'platform_tenant_storage', { tenant_storage_allowed_drivers: drivers })
    await allow('local')
    assert.deepEqual(await shown(), ['local', '', 'platform', null])
    await allow('local', 's3')
    await setGroup(world.admin, 'platform_tenant_policy', { tenant_config_approval: 'off' })
    dataOf(await world.owner.put(storage, { profile_id: null }))
    assert.deepEqual(await shown(), ['local', '', 'platform', null])
  })
})
