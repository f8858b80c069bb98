// @both-back-ends
import assert from 'node:assert/strict'
import { describe, it } from 'mocha'
import type { AppError } from '#kernel'
import access from '../../../core-plugins/access/index.ts'
import { configReader, configWriter, type ConfigReader } from '../../../core-plugins/config/contract.ts'
import config from '../../../core-plugins/config/index.ts'
import jobs from '../../../core-plugins/jobs/index.ts'
import type { Answer } from '../../support/api.ts'
import { itOnRedis } from '../../support/it-on-redis.ts'
import { admin, dump, itemsOf, owner, plugins, secretGroup } from '../../support/configuration.ts'
import { assertLeavesNothing, startTestKernel, type TestKernel } from '../../support/kernel.ts'
import { plainIdentity, tenantToken } from '../../support/plain-identity.ts'
import { until } from '../../support/until.ts'

describe('the fallback of values', () => {
  let host: TestKernel
  let reader: ConfigReader
  before(async () => {
    host = await startTestKernel({ plugins: [...plugins, secretGroup], poolSize: 1 })
    reader = host.kernel.services.get(configReader)
  })
  after(() => host[Symbol.asyncDispose]())

  it('is tenant, platform, code, caller', async () => {
    const put = (token: string, body: unknown): Promise<Answer> =>
      host.api.put('/configs/groups/tenant_security', body, { token })
    const now = (): Promise<unknown> => reader.item('session_timeout', 5)
    assert.deepEqual(await now(), { value: 10_080, source: 'code' })
    await put(admin, { session_timeout: 600 })
    assert.deepEqual(await now(), { value: 600, source: 'platform' })
    await put(owner, { session_timeout: 60 })
    assert.deepEqual(await now(), { value: 60, source: 'tenant' })
    assert.deepEqual(await reader.item('session_timeout', 6), { value: 600, source: 'platform' })
    await put(owner, { reset: ['session_timeout'] })
    assert.deepEqual(await now(), { value: 600, source: 'platform' })
    await put(admin, { reset: ['session_timeout'] })
    assert.deepEqual(await now(), { value: 10_080, source: 'code' })
    assert.equal(await reader.get('plg_1_password', 5, 'mine'), 'mine')
    assert.equal(await reader.get('nobody_knows', 5, 'mine'), 'mine')
    assert.equal(await reader.item('nobody_knows', 5), undefined)
    await assert.rejects(reader.get('nobody_knows'), { code: 5009 })
  })

  it('keeps apart the keys that exist for tenants and for the platform', async () => {
    assert.deepEqual(
      [
        await reader.get('password_min_length'),
        await reader.get('password_min_length', 5),
        await reader.get('site_name', 5),
      ],
      [12, 8, 'AI Platform'],
    )
  })

  it('hands out copies', async () => {
    const domains = await reader.get<string[]>('platform_domains')
    domains.push('evil.test')
    assert.deepEqual(await reader.get('platform_domains'), ['localhost'])
  })
})

describe('groups of plugins', () => {
  it('hide with their plugin and keep their values', async () => {
    await using host = await startTestKernel({ plugins: [...plugins, secretGroup] })
    const url = '/tenant/configs/groups/plugin.mailer'
    await host.api.put(url, { plg_1_port: 587 }, { token: owner })
    await host.kernel.disable('mailer')
    assert.equal((await host.api.get(url, { token: owner })).body['code'], 4049)
    await host.kernel.enable(secretGroup)
    assert.equal(itemsOf(await host.api.get(url, { token: owner }))['plg_1_port']?.['value'], 587)
  })

  it('are shown short to whoever asks so, hidden from tenants that do not have them, and removed whole', async () => {
    await using host = await startTestKernel({ plugins: [...plugins, secretGroup], poolSize: 1 })
    const writer = host.kernel.services.get(configWriter)
    const view = { keyPrefix: 'plg_1_' }
    const result = await writer.write('plugin.mailer', 5, { password: 's3cret', port: '25' }, { actor: null, ...view })
    assert.deepEqual(
      [result.updated, result.unchanged, result.items.map(({ key }) => key)],
      [['password'], ['port'], ['password', 'port']],
    )
    await assert.rejects(
      writer.write('plugin.mailer', 5, { port: 0 }, { actor: null, ...view }),
      (error: AppError) => error.errors?.[0]?.field === 'port',
    )
    assert.deepEqual(await writer.effectiveOf('plugin.mailer', 5, view), { password: 's3cret', port: 25 })
    assert.deepEqual(await writer.effectiveOf('plugin.nobody', 5, view), {})
    const hidden = writer.hideUnless((code, tenantId) => code !== 'plugin.mailer' || tenantId !== 5)
    const url = '/configs/groups/plugin.mailer'
    assert.equal((await host.api.get(url, { token: owner })).status, 404)
    assert.equal((await host.api.get(url, { token: tenantToken(6, '*:*') })).status, 200)
    assert.equal((await host.api.get(url, { token: admin })).status, 200)
    hidden[Symbol.dispose]()
    assert.equal((await host.api.get(url, { token: owner })).status, 200)
    await host.kernel.disable('mailer')
    const removed = await host.kernel.database.knex.transaction((trx) => writer.removeGroup('plugin.mailer', trx))
    const left: unknown = await host.kernel.database.knex('system_configs').where('key', 'like', 'plg_1_%')
    assert.deepEqual([removed, left, await dump(host)], [1, [], []])
    await host.kernel.enable(secretGroup)
    assert.deepEqual(await writer.effectiveOf('plugin.mailer', 5, view), { password: '', port: 25 })
  })

  it('leave nothing behind when configuration itself is disabled', async () => {
    await using host = await startTestKernel({ plugins: [access, jobs, plainIdentity] })
    await assertLeavesNothing(host.kernel, config)
  })
})

describe('a write on one host', () => {
  itOnRedis('is read on another at once', async () => {
    await using first = await startTestKernel({ plugins })
    const { databaseUrl, namespace } = first
    await using second = await startTestKernel({ plugins, databaseUrl, namespace })
    const url = '/tenant/configs/groups/tenant_basic'
    const nameOn = async (host: TestKernel): Promise<unknown> =>
      itemsOf(await host.api.get(url, { token: owner }))['icp']?.['value']
    assert.equal(await nameOn(second), '')
    await first.api.put(url, { icp: 'new' }, { token: owner })
    await until(async () => (await nameOn(second)) === 'new', 1000)
  })
})
