// @both-back-ends
import assert from 'node:assert/strict'
import type { Answer } from '../../support/api.ts'
import { itOnRedis } from '../../support/it-on-redis.ts'
import { identityPlugins, startTestPlatform, type TestPlatform, type TestTenant } from '../../support/identity.ts'
import { startTestKernel } from '../../support/kernel.ts'
import { until } from '../../support/until.ts'

const path = '/api/public/tenant/config'

describe('the subdomain of a tenant', () => {
  let platform: TestPlatform
  let acme: TestTenant
  before(async () => {
    platform = await startTestPlatform()
    acme = await platform.createTenant('acme')
    await platform.createTenant('beta')
  })
  after(() => platform[Symbol.asyncDispose]())

  const rename = (code: string): Promise<Answer> => platform.admin.put(`/admin/tenants/${acme.id}`, { code })
  const shownAt = async (code: string): Promise<unknown> => {
    const { body } = await platform.test.api.get(path, { host: `${code}.localhost` })
    return [body['code'], body['data']?.['subdomain']]
  }
  const inGroup = async (): Promise<unknown> => {
    const { body } = await acme.owner.get('/tenant/configs/groups/tenant_domain')
    const [item] = body['data']?.['items'] as unknown as readonly { key: string; value: unknown; readonly: boolean }[]
    return [item?.key, item?.value, item?.readonly]
  }

  it('is its code, wherever it is read, and moves with it', async () => {
    const before = [await shownAt('acme'), await inGroup()]
    const renamed = await rename('acme-works')
    assert.deepEqual([renamed.status, renamed.body['data']?.['code']], [200, 'acme-works'])
    assert.deepEqual(
      [before, await shownAt('acme-works'), await shownAt('acme'), await inGroup()],
      [
        [
          [0, 'acme'],
          ['subdomain', 'acme', true],
        ],
        [0, 'acme-works'],
        [4041, undefined],
        ['subdomain', 'acme-works', true],
      ],
    )
  })

  it('is one tenant’s alone, and none that means something else', async () => {
    const answers = []
    for (const code of ['beta', 'www', 'xn--bcher-kva', '-x', 'a.b', 'A', '']) {
      const { body } = await rename(code)
      answers.push([body['code'], await inGroup()])
    }
    assert.deepEqual(
      answers,
      [4091, 4220, 4220, 4220, 4220, 4220, 4220].map((code) => [code, ['subdomain', 'acme-works', true]]),
    )
  })

  it('is not the tenant’s own to change', async () => {
    const { status, body } = await acme.owner.put('/tenant/configs/groups/tenant_domain', { subdomain: 'mine' })
    assert.deepEqual([status, body['code']], [422, 4222])
  })
})

describe('two hosts', () => {
  itOnRedis('know within a second what was changed on the other: a value, a name, a domain', async () => {
    await using platform = await startTestPlatform()
    const acme = await platform.createTenant('acme')
    const { databaseUrl, namespace, kernel } = platform.test
    await using other = await startTestKernel({ plugins: identityPlugins, databaseUrl, namespace })
    const read = async (host: string): Promise<unknown> => {
      const { body } = await other.api.get(path, { host })
      return [body['data']?.['login_title'], body['data']?.['tenant_name']]
    }
    assert.ok(kernel.hostId !== other.kernel.hostId)
    assert.deepEqual(
      [await read(acme.host), await read('www.acme.example')],
      [
        ['', 'acme'],
        [undefined, undefined],
      ],
    )
    await acme.owner.put('/tenant/configs/groups/tenant_login', { login_title: 'Hello' })
    await until(async () => String(await read(acme.host)) === 'Hello,acme', 1000)
    const change = { name: 'Acme Ltd', domains: ['www.acme.example'] }
    await platform.admin.put(`/admin/tenants/${acme.id}`, change)
    await until(async () => String(await read('www.acme.example')) === 'Hello,Acme Ltd', 1000)
    await platform.admin.put(`/admin/tenants/${acme.id}`, { domains: [] })
    await until(async () => (await other.api.get(path, { host: 'www.acme.example' })).status === 404, 1000)
  })
})
