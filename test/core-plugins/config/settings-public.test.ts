// @both-back-ends
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { generateFernetKey } from '#kernel'
import { storageDrivers } from '../../../core-plugins/storage/contract.ts'
import type { Api, Body } from '../../support/api.ts'
import { testRedisUrl } from '../../support/cluster.ts'
import { createTenant, dataOf, startPlatform, type Platform } from '../../support/platform.ts'
import { memoryDriver } from '../../support/storage.ts'
import { setGroup } from '../../support/storage-world.ts'
import { until } from '../../support/until.ts'
import { providerPlugin, wordProvider } from '../captcha/world.ts'

const paths = { platform: '/api/public/platform/config', tenant: '/api/public/tenant/config' }
const legal = '/api/public/tenant/legal/privacy'
const host = 'acme.localhost'
const secrets = {
  APP_SECRET: randomBytes(32).toString('base64url'),
  JWT_KEYS: `k1:${randomBytes(32).toString('base64url')}`,
  CONFIG_FERNET_KEYS: generateFernetKey(),
}

describe('what pages are told of a tenant', () => {
  let platform: Platform
  let owner: Api
  before(async () => {
    platform = await startPlatform({ env: secrets })
    owner = (await createTenant(platform.admin, 'acme')).owner
  })
  after(() => platform[Symbol.asyncDispose]())

  const get = async (path: string = paths.tenant, headers: Record<string, string> = {}) =>
    platform.host.api.get(path, { host, headers })
  const member = async (name: string, path?: string): Promise<unknown> => dataOf(await get(path))[name]
  const storage = async (path?: string): Promise<readonly unknown[]> => {
    const { driver, base_url: base } = (await member('storage', path)) as Body
    return [driver, base]
  }

  it('is the storage that holds for it, whatever the platform changes', async () => {
    const { driver } = memoryDriver('memory')
    using registered = platform.host.kernel.services.get(storageDrivers).register(driver)
    const profile = (base: string) => [{ id: 'eu', name: 'Europe', driver: 'memory', config: {}, base_url: base }]
    const policy = (values: object) => setGroup(platform.admin, 'platform_tenant_storage', values)
    await policy({
      tenant_storage_allowed_drivers: ['local', 'memory'],
      tenant_storage_profiles: profile('https://one.test'),
    })
    const seen: unknown[] = []
    const look = async () => seen.push(await storage())
    dataOf(await owner.put('/tenant/configs/storage', { profile_id: 'eu' }))
    await look()
    await policy({ tenant_storage_profiles: profile('https://two.test') })
    await look()
    await policy({ tenant_storage_allowed_drivers: ['local'] })
    await look()
    await setGroup(platform.admin, 'platform_storage', { storage_base_url: 'https://files.test' })
    await look()
    await policy({ tenant_storage_mode: 'self_managed', tenant_storage_allowed_drivers: ['local', 'memory'] })
    dataOf(await owner.put('/tenant/configs/storage', { driver: 'memory', config: {}, base_url: 'https://own.test' }))
    await look()
    await policy({ tenant_storage_mode: 'allow_list' })
    await look()
    await policy({ tenant_storage_mode: 'self_managed' })
    registered[Symbol.dispose]()
    await look()
    assert.deepEqual(seen, [
      ['memory', 'https://one.test'],
      ['memory', 'https://two.test'],
      ['local', ''],
      ['local', 'https://files.test'],
      ['memory', 'https://own.test'],
      ['local', 'https://files.test'],
      ['memory', ''],
    ])
    assert.deepEqual(await storage(paths.platform), ['local', 'https://files.test'])
    dataOf(await owner.put('/tenant/configs/storage', { driver: null }))
  })

  it('is the captcha that it gets, also while the chosen one is away', async () => {
    const { kernel } = platform.host
    const words = providerPlugin('acme.words', wordProvider())
    await kernel.enable(words)
    await setGroup(platform.admin, 'platform_captcha', { captcha_provider: 'words', captcha_plugin: 'acme.words' })
    const shown = async () => [
      ...[await member('captcha_provider'), await member('captcha_plugin')],
      ...[await member('captcha_provider', paths.platform), await member('captcha_plugin', paths.platform)],
      dataOf(await platform.host.api.post('/api/public/captcha/challenge', {}, { host }))['provider_code'],
    ]
    const there = await shown()
    await kernel.disable('acme.words')
    const away = await shown()
    await kernel.enable(words)
    const back = await shown()
    await kernel.disable('acme.words')
    await setGroup(platform.admin, 'platform_captcha', { captcha_provider: 'image', captcha_plugin: '' })
    const some = ['words', 'acme.words', 'words', 'acme.words', 'words']
    assert.deepEqual([there, away, back], [some, ['image', '', 'image', '', 'image'], some])
  })

  it('has a page of its legal text with a version of its own, and pictures where a browser finds them', async () => {
    const html = '<p>Ours</p><img src="attachment:0190a-b" alt="x"><img src="https://a.test/attachment:1.png">'
    dataOf(await owner.put('/tenant/configs/groups/tenant_legal', { privacy_policy: html }))
    const page = await get(legal, { accept: 'text/html' })
    const etag = String(page.headers['etag'])
    const data = await get(legal)
    const known = await get(legal, { accept: 'text/html', 'if-none-match': etag })
    assert.match(etag, /^W\/"[\w-]{22}"$/)
    assert.notEqual(etag, data.headers['etag'])
    assert.deepEqual([known.status, known.body, known.headers['etag']], [304, '', etag])
    assert.equal((await get(legal, { 'if-none-match': etag })).status, 200)
    for (const text of [page.body, data.body['data']?.['html']] as unknown as readonly string[]) {
      assert.match(text, /<img src="\/api\/public\/attachments\/0190a-b\/access\?preview=true" alt="x"/)
      assert.match(text, /<img src="https:\/\/a\.test\/attachment:1\.png"/)
    }
    dataOf(await platform.admin.put(`/admin/tenants/${Number(await member('tenant_id'))}`, { name: 'Other' }))
    assert.equal((await get(legal, { accept: 'text/html', 'if-none-match': etag })).status, 200)
    dataOf(await owner.put('/tenant/configs/groups/tenant_basic', { locale: 'zh-CN' }))
    const chinese = (await get(legal, { accept: 'text/html' })).body as unknown as string
    assert.match(chinese, /<html lang="zh-CN">.*<title>隐私政策 · Other<\/title>/s)
  })

  if (testRedisUrl()) {
    it('is told by another host within a second, platform’s and tenant’s', async () => {
      const { databaseUrl, namespace } = platform.host
      await using two = await startPlatform({ env: secrets, databaseUrl, namespace })
      const there = async (path: string, name: string): Promise<unknown> =>
        dataOf(await two.host.api.get(path, { host }))[name]
      assert.equal(await there(paths.tenant, 'login_title'), '')
      dataOf(await owner.put('/tenant/configs/groups/tenant_login', { login_title: 'Hello' }))
      await until(async () => (await there(paths.tenant, 'login_title')) === 'Hello', 1000)
      await setGroup(platform.admin, 'platform_basic', { site_name: 'Elsewhere' })
      await until(async () => (await there(paths.platform, 'site_name')) === 'Elsewhere', 1000)
      await setGroup(platform.admin, 'platform_storage', { storage_base_url: 'https://other.test' })
      const base = async () => ((await there(paths.tenant, 'storage')) as Body)['base_url'] as unknown
      await until(async () => (await base()) === 'https://other.test', 1000)
    })
  }
})
