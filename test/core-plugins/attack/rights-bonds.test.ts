import assert from 'node:assert/strict'
import type { Answer } from '../../support/api.ts'
import { errorsOf } from '../../support/configuration.ts'
import { createTenant, dataOf } from '../../support/platform.ts'
import { installAndEnable, packSmall } from '../../support/small-plugin.ts'
import { s3Secret } from '../../support/s3-server.ts'
import { setGroup, setupStorageWorld, type StorageWorld } from '../../support/storage-world.ts'

const masked = '********'
const evil = 'http://127.0.0.1:9'

describe('attack: having the secret of a storage, or of a plugin, sent elsewhere', () => {
  let world: StorageWorld
  before(async () => {
    world = await setupStorageWorld()
    await setGroup(world.admin, 'platform_storage', { storage_driver: 's3', storage_config: world.s3.config() })
  })
  after(() => world[Symbol.asyncDispose]())

  const config = (more: object = {}) => world.s3.config({ secret_access_key: masked, ...more })
  const put = (values: object): Promise<Answer> => world.admin.put('/admin/configs/groups/platform_storage', values)

  it('is refused for the platform’s bucket, unless the secret is given again', async () => {
    const answers = [
      await put({ storage_config: config({ endpoint: evil }) }),
      await put({ storage_config: config({ bucket: 'another-bucket' }) }),
      await put({ storage_config: config({ endpoint: evil, secret_access_key: 'another secret' }) }),
      await put({ storage_config: world.s3.config() }),
      await put({ storage_config: config() }),
    ]
    const bound = [422, 4222, ['storage_config.secret_access_key bound']]
    assert.deepEqual(answers.map(errorsOf), [bound, bound, ...Array<unknown>(3).fill([200, 0, []])])
  })

  it('is refused for the platform’s bucket to who may only try settings too', async () => {
    const tried = (more: object): Promise<Answer> =>
      world.admin.post('/admin/configs/storage/test-connection', { driver: 's3', config: config(more) })
    const answers = [await tried({ endpoint: evil }), await tried({ bucket: 'another-bucket' }), await tried({})]
    const bound = [422, 4222, ['config.secret_access_key bound']]
    assert.deepEqual(answers.map(errorsOf), [bound, bound, [200, 0, []]])
  })

  it('is refused for a profile that tenants may choose', async () => {
    const { secret_access_key: secret, ...open } = world.s3.config() as Record<string, unknown>
    const profile = (more: object) => [{ id: 'eu', name: 'Europe', driver: 's3', config: { ...open, ...more } }]
    await setGroup(world.admin, 'platform_tenant_storage', {
      tenant_storage_profiles: profile({}),
      tenant_storage_profile_secrets: { 'eu.secret_access_key': secret },
    })
    const moved = await world.admin.put('/admin/configs/groups/platform_tenant_storage', {
      tenant_storage_profiles: profile({ endpoint: evil }),
    })
    assert.deepEqual(errorsOf(moved), [422, 4222, ['tenant_storage_profile_secrets.eu.secret_access_key bound']])
  })

  it('is refused to a tenant that inherits the platform’s, chosen or only tried', async () => {
    await setGroup(world.admin, 'platform_tenant_storage', { tenant_storage_mode: 'self_managed' })
    for (const place of [{ endpoint: evil }, {}]) {
      const chosen = await world.owner.put('/tenant/configs/storage', { driver: 's3', config: config(place) })
      assert.deepEqual([chosen.status, chosen.body['code']], [422, 4222], JSON.stringify(place))
      const tried = await world.owner.post('/tenant/configs/storage/test-connection', {
        driver: 's3',
        config: config(place),
      })
      assert.notEqual(tried.body['data']?.['ok'], true, JSON.stringify(place))
      assert.doesNotMatch(JSON.stringify([chosen.body, tried.body]), new RegExp(s3Secret))
    }
  })

  it('is refused for a plugin’s secret, and a tenant with a place of its own does not inherit the platform’s', async () => {
    const { admin } = world
    const tenant = await createTenant(admin, 'bonds')
    const manifest = {
      capabilities: ['config'],
      reasons: { config: 'Is told where to go.' },
      config: [
        { key: 'url', type: 'STRING', scope: 'tenant' },
        { key: 'token', type: 'PASSWORD', scope: 'tenant', boundTo: ['url'] },
      ],
      tenant_routes: [{ method: 'GET', path: '/read', handler: 'read' }],
    }
    const definition = `{ handlers: { async read(_, { config }) {
      return { url: await config.get('url') ?? null, token: await config.get('token') ?? null }
    } } }`
    await installAndEnable(admin, await packSmall('acme.bound', manifest, definition))
    dataOf(await admin.post('/plugins/acme.bound/tenants', { tenant_ids: [tenant.id] }))
    dataOf(await tenant.owner.post('/tenant/plugins/acme.bound/enable'))
    const set = (values: object) => tenant.owner.put('/tenant/plugins/acme.bound/config', values)
    const read = async () => dataOf(await tenant.owner.get('/tenant/plugins/acme.bound/api/read'))
    dataOf(await set({ url: 'https://mine.example', token: 'mine alone' }))
    assert.deepEqual(errorsOf(await set({ url: 'https://evil.example' })), [422, 4222, ['token bound']])
    assert.deepEqual(errorsOf(await set({ url: 'https://evil.example', token: masked })), [422, 4222, ['token bound']])
    assert.deepEqual(await read(), { url: 'https://mine.example', token: 'mine alone' })
    dataOf(await set({ url: 'https://new.example', token: 'another' }))
    assert.deepEqual(await read(), { url: 'https://new.example', token: 'another' })
    // A secret that waits for an approval takes its place along: the one that holds meanwhile was given for another.
    await setGroup(admin, 'platform_tenant_policy', { tenant_config_approval: 'sensitive' })
    const waiting = dataOf(await set({ url: 'https://third.example', token: 'third' }), 202)
    await setGroup(admin, 'platform_tenant_policy', { tenant_config_approval: 'off' })
    assert.deepEqual(
      [waiting['pending'], await read()],
      [['url', 'token'], { url: 'https://new.example', token: 'another' }],
    )
  })
})
