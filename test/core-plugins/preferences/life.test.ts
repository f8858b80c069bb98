import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import type { Api } from '../../support/api.ts'
import { identityPlugins, startTestPlatform, type TestPlatform, type TestTenant } from '../../support/identity.ts'
import { startTestKernel } from '../../support/kernel.ts'
import { createUser, dataOf } from '../../support/platform.ts'
import { until } from '../../support/until.ts'

const env = {
  JWT_KEYS: `k1:${randomBytes(32).toString('base64url')}`,
  APP_SECRET: randomBytes(32).toString('base64url'),
}

describe('the life of preferences', () => {
  let platform: TestPlatform
  let count = 0
  before(async () => {
    platform = await startTestPlatform({ env })
  })
  after(() => platform[Symbol.asyncDispose]())

  it('ends with their user', async () => {
    const tenant = await newTenant()
    const { id, api } = await platform.createUser(tenant, `user@${tenant.code}.test`, ['tenant_user'])
    dataOf(await api.patch('/preferences', { theme: 'dark', page_size: 50 }))
    dataOf(await tenant.owner.patch('/preferences', { theme: 'dark' }))
    dataOf(await tenant.owner.delete(`/tenant/users/${id}`))
    assert.deepEqual(await rowsOf(tenant.id), [[tenant.ownerId, 'theme']])
  })

  it('ends with their tenant', async () => {
    const [tenant, other] = [await newTenant(), await newTenant()]
    for (const { owner } of [tenant, other]) {
      dataOf(await owner.patch('/preferences', { theme: 'dark' }))
      dataOf(await owner.put('/tenant/preferences/global', { page_size: 50 }))
    }
    dataOf(await platform.admin.delete(`/admin/tenants/${tenant.id}`))
    // Erasing goes on behind the answer.
    await until(async () => (await rowsOf(tenant.id)).length === 0)
    assert.deepEqual(await rowsOf(other.id), [
      [0, 'page_size'],
      [other.ownerId, 'theme'],
    ])
  })

  it('is the same on every host at once', async () => {
    const { databaseUrl, namespace } = platform.test
    const options = { plugins: identityPlugins, databaseUrl, namespace, env }
    await using second = await startTestKernel(options)
    const { owner } = await newTenant()
    const there = owner.at(second.url)
    const before = await there.get('/preferences')
    dataOf(await owner.put('/tenant/preferences/global', { theme: 'dark' }))
    const after = await there.get('/preferences')
    assert.notEqual(after.headers['etag'], before.headers['etag'])
    assert.equal(after.headers['etag'], (await owner.get('/preferences')).headers['etag'])
    assert.deepEqual(dataOf(after), dataOf(await owner.get('/preferences')))
  })

  it('is for those who hold the permissions', async () => {
    const { owner, code } = await newTenant()
    const nobody = await createUser(owner, code, ['user_profile:read'])
    const reader = await createUser(owner, code, ['user_preference:read', 'tenant_preference:read'])
    const calls: readonly ((api: Api) => ReturnType<Api['get']>)[] = [
      (api) => api.get('/preferences'),
      (api) => api.get('/preferences/global'),
      (api) => api.get('/tenant/preferences/global'),
      (api) => api.patch('/preferences', { theme: 'dark' }),
      (api) => api.put('/preferences', { theme: 'dark' }),
      (api) => api.delete('/preferences/theme'),
      (api) => api.post('/preferences/reset'),
      (api) => api.put('/preferences/global', { theme: 'dark' }),
      (api) => api.put('/tenant/preferences/global', { theme: 'dark' }),
    ]
    const codesOf = async (api: Api) => Promise.all(calls.map(async (call) => (await call(api)).body['code']))
    assert.deepEqual(await codesOf(nobody), Array(9).fill(4031))
    assert.deepEqual(await codesOf(reader), [...Array<number>(3).fill(0), ...Array<number>(6).fill(4031)])
    assert.deepEqual(await codesOf(owner), Array(9).fill(0))
    const refusal = await nobody.get('/preferences')
    assert.deepEqual(
      [refusal.body['details'], refusal.headers['www-authenticate']],
      [
        { permission: 'user_preference:read' },
        'Bearer realm="api", error="insufficient_scope", scope="user_preference:read"',
      ],
    )
    assert.equal((await platform.test.api.get('/preferences')).status, 401)
  })

  it('lets all of the platform’s staff at their own, and those with the permission at everybody’s', async () => {
    const credentials = { email: 'operator@stoa.test', password: 'a long enough passphrase' }
    const made = dataOf(
      await platform.admin.post('/admin/users', { ...credentials, roles: ['platform_operator'] }),
      201,
    )
    const operator = await platform.signIn(0, Number(made['id']))
    assert.deepEqual(dataOf(await operator.patch('/preferences', { theme: 'dark' }))['updated'], ['theme'])
    assert.deepEqual(dataOf(await operator.delete('/preferences/theme'))['reset'], ['theme'])
    for (const path of ['/preferences/global', '/admin/preferences/global']) {
      for (const answer of [await operator.get(path), await operator.put(path, { theme: 'dark' })]) {
        assert.deepEqual([answer.status, answer.body['code']], [403, 4031])
      }
    }
  })

  function newTenant(): Promise<TestTenant> {
    return platform.createTenant(`life${++count}`)
  }

  /** User and key of what is stored of a tenant. */
  async function rowsOf(tenantId: number): Promise<readonly (readonly [number, string])[]> {
    const rows: unknown = await platform.test.kernel.database
      .knex('preferences')
      .select('user_id', 'key')
      .where({ tenant_id: tenantId })
      .orderBy(['user_id', 'key'])
      .queryContext({ tenant: 'all' })
    return (rows as readonly { user_id: number; key: string }[]).map(({ user_id: id, key }) => [id, key] as const)
  }
})
