// @both-back-ends
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { generateFernetKey } from '#kernel'
import { objectStorage } from '../../../core-plugins/storage/contract.ts'
import { testRedisUrl } from '../../support/cluster.ts'
import { dataOf, startPlatform, type Platform } from '../../support/platform.ts'
import { installAndEnable, packSmall, upload } from '../../support/small-plugin.ts'
import { setGroup, setupStorageWorld, type StorageWorld } from '../../support/storage-world.ts'
import { until } from '../../support/until.ts'
import { discardsIn } from '../../support/storage.ts'

const secrets = {
  APP_SECRET: randomBytes(32).toString('base64url'),
  JWT_KEYS: `k1:${randomBytes(32).toString('base64url')}`,
  CONFIG_FERNET_KEYS: generateFernetKey(),
}

describe('packages of releases', () => {
  let world: StorageWorld
  before(async () => void (world = await setupStorageWorld({ env: secrets })))
  after(() => world[Symbol.asyncDispose]())
  beforeEach(() => world.s3.forget())

  const useS3 = (more: object = {}) =>
    setGroup(world.admin, 'platform_storage', { storage_driver: 's3', storage_config: world.s3.config({ ...more }) })
  const useDisk = () => setGroup(world.admin, 'platform_storage', { storage_driver: 'local', storage_config: {} })
  const hi = (name: string) =>
    packSmall(
      name,
      { admin_routes: [{ method: 'GET', path: '/hi', handler: 'hi' }] },
      `{ handlers: { hi: () => ({ hi: ${JSON.stringify(name)} }) } }`,
    )
  const answerOf = (name: string, at: Platform = world.platform) => at.admin.get(`/admin/plugins/${name}/api/hi`)

  /** Names of plugins whose packages lie in the database. */
  async function stored(): Promise<readonly string[]> {
    const { knex } = world.platform.host.kernel.database
    const names: unknown = await knex('plugin_releases')
      .join('plugin_release_chunks', 'release_id', 'id')
      .distinct('name')
      .orderBy('name')
      .pluck('name')
    return names as readonly string[]
  }

  /** SHA-256 of the packages in the platform's storage. */
  async function shared(): Promise<readonly string[]> {
    const store = world.platform.host.kernel.services.get(objectStorage).open('plugin-packages', 0)
    return (await store.list()).items.map(({ sha256 }) => sha256)
  }

  async function remove(...names: readonly string[]): Promise<void> {
    for (const name of names) dataOf(await world.admin.delete(`/admin/plugins/${name}?purge=true`))
  }

  it('lie in the database until a shared storage is configured, then old and new ones in that', async () => {
    await installAndEnable(world.admin, await hi('acme.old'))
    assert.deepEqual([await stored(), await shared()], [['acme.old'], []])
    await useS3()
    await until(async () => (await stored()).length === 0)
    await installAndEnable(world.admin, await hi('acme.new'))
    await until(async () => (await stored()).length === 0)
    const { objects } = await world.s3.state()
    assert.deepEqual(
      [objects.map(({ sha256 }) => sha256).sort(), objects.map(({ type }) => type)],
      [[...(await shared())].sort(), ['application/zip', 'application/zip']],
    )
    // Where they lie, they stay.
    await useDisk()
    await remove('acme.old', 'acme.new')
    assert.deepEqual([(await world.s3.state()).objects, await shared(), await stored()], [[], [], []])
  })

  it('stay in the database while the storage is away or keeps something else, and follow later', async () => {
    await useS3()
    await world.s3.fail({ on: 'put', kind: 'status', status: 503, code: 'SlowDown', times: 100 })
    await installAndEnable(world.admin, await hi('acme.late'))
    await until(async () => (await world.s3.state()).seen.includes('put'))
    assert.deepEqual([dataOf(await answerOf('acme.late')), await stored()], [{ hi: 'acme.late' }, ['acme.late']])
    await world.s3.fail()
    await useS3({ presign_ttl: 1800 })
    await until(async () => (await stored()).length === 0)
    await remove('acme.late')
  })

  it('are gone from the storage with their plugin, also when that is away at the moment', async () => {
    await useS3()
    const before = await shared()
    await installAndEnable(world.admin, await hi('acme.gone'))
    await until(async () => (await stored()).length === 0)
    const { knex } = world.platform.host.kernel.database
    const noted = (await discardsIn(knex)).length
    await world.s3.fail({ on: 'delete', kind: 'status', status: 503, times: 100 })
    await remove('acme.gone')
    assert.deepEqual(await shared(), before)
    assert.equal((await discardsIn(knex)).length, noted + 1)
    await world.s3.fail()
    dataOf(await upload(world.admin, await hi('acme.gone')), 201)
    await until(async () => (await shared()).length === before.length + 1)
    await remove('acme.gone')
  })
})

if (testRedisUrl()) {
  describe('packages of releases in a shared storage', () => {
    it('are brought to every other host, as soon as the storage is there', async () => {
      await using one = await setupStorageWorld({ env: secrets })
      const config = one.s3.config()
      await setGroup(one.admin, 'platform_storage', { storage_driver: 's3', storage_config: config })
      const route = { admin_routes: [{ method: 'GET', path: '/hi', handler: 'hi' }] }
      await installAndEnable(
        one.admin,
        await packSmall('acme.far', route, '{ handlers: { hi: () => ({ hi: true }) } }'),
      )
      const { knex } = one.platform.host.kernel.database
      await until(async () => (await knex('plugin_release_chunks').select(knex.raw('1'))).length === 0)
      await one.s3.fail({ on: 'get', kind: 'status', status: 503, times: 100 })
      const env = { ...secrets, EGRESS_ALLOW_PRIVATE: `localhost:${one.s3.port}` }
      const { databaseUrl, namespace } = one.platform.host
      await using two = await startPlatform({ env, databaseUrl, namespace })
      const answer = () => two.admin.get('/admin/plugins/acme.far/api/hi')
      assert.equal((await answer()).status, 503)
      assert.equal(dataOf(await one.admin.get('/plugins/acme.far'))['status'], 'enabled')
      await one.s3.fail()
      await until(async () => (await answer()).status === 200, 15_000)
      assert.deepEqual(dataOf(await answer()), { hi: true })
    })
  })
}
