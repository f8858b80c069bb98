import assert from 'node:assert/strict'
import { storageDrivers } from '../../../core-plugins/storage/contract.ts'
import { itemsOf } from '../../support/configuration.ts'
import { dataOf, refusalOf } from '../../support/platform.ts'
import { memoryDriver, read, storageOf } from '../../support/storage.ts'
import { s3Secret } from '../../support/s3-server.ts'
import { setGroup, setupStorageWorld, stepsOf, type StorageWorld } from '../../support/storage-world.ts'

const everyStep = ['validate', 'resolve', 'connect', 'put', 'head', 'get', 'range', 'presign', 'delete']

describe('the platform’s storage settings', () => {
  let world: StorageWorld
  before(async () => void (world = await setupStorageWorld()))
  after(() => world[Symbol.asyncDispose]())
  beforeEach(() => world.s3.forget())

  it('begin with the drivers there are and what they ask for', async () => {
    const { items } = dataOf(await world.admin.get('/admin/configs/storage/drivers')) as unknown as {
      items: readonly Record<string, unknown>[]
    }
    assert.deepEqual(
      items.map(({ name, builtin, plugin, available, capabilities }) => ({
        name,
        builtin,
        plugin,
        available,
        capabilities,
      })),
      [
        ['local', false],
        ['s3', true],
      ].map(([name, does]) => ({
        name,
        builtin: true,
        plugin: null,
        available: true,
        capabilities: { presign: does, range: true, multipart: does, image_process: does },
      })),
    )
    const found = dataOf(await world.admin.get('/configs/storage/drivers/s3/schema')) as unknown as {
      driver: string
      schema: { $schema: string; properties: Record<string, Record<string, unknown>> }
      ui: readonly { field: string; widget: string; secret: boolean }[]
    }
    assert.deepEqual([found.driver, found.schema.$schema], ['s3', 'https://json-schema.org/draft/2020-12/schema'])
    assert.deepEqual(
      Object.entries(found.schema.properties).flatMap(([name, member]) => (member['x-secret'] ? [name] : [])),
      ['secret_access_key', 'imgproxy_key', 'imgproxy_salt_key'],
    )
    assert.deepEqual(
      found.ui.map(({ field }) => field),
      [
        ...['provider', 'endpoint', 'region', 'bucket', 'access_key_id', 'secret_access_key', 'force_path_style'],
        ...['prefix', 'base_url', 'acl', 'presign_ttl', 'image_process'],
        ...['imgproxy_url', 'imgproxy_key', 'imgproxy_salt_key'],
      ],
    )
    const chinese = await world.admin.get('/configs/storage/drivers/s3/schema', {
      headers: { 'accept-language': 'zh-CN' },
    })
    assert.equal(dataOf(chinese)['schema']?.['properties']?.['bucket']?.['title'], '存储桶')
    assert.deepEqual(refusalOf(await world.admin.get('/configs/storage/drivers/ftp/schema')), {
      status: 404,
      code: 4049,
      reason: 'storage_driver_not_found',
    })
  })

  it('are tried step by step, whatever comes of it', async () => {
    const test = (driver: string, config: object) =>
      world.admin.post('/configs/storage/test-connection', { driver, config })
    const answer = await test('s3', world.s3.config())
    assert.deepEqual([dataOf(answer)['ok'], stepsOf(answer)], [true, everyStep])
    assert.equal((await world.s3.state()).objects.length, 0)
    const local = await test('local', {})
    assert.deepEqual(
      [dataOf(local)['ok'], stepsOf(local)],
      [true, ['validate', 'put', 'head', 'get', 'range', 'delete']],
    )
    const wrong = await test('s3', world.s3.config({ secret_access_key: 'wrong' }))
    assert.deepEqual(stepsOf(wrong).slice(0, 4), ['validate', 'resolve', 'connect', 'put: SignatureDoesNotMatch'])
    assert.deepEqual([wrong.status, dataOf(wrong)['ok']], [200, false])
    await world.s3.fail({ on: 'get', kind: 'status', status: 403, code: 'AccessDenied' })
    const forbidden = await test('s3', world.s3.config())
    assert.deepEqual(stepsOf(forbidden).slice(3), ['put', 'head', 'get: AccessDenied', 'delete'])
    assert.equal((await world.s3.state()).objects.length, 0)
    const elsewhere = await test('s3', world.s3.config({ endpoint: 'http://127.0.0.1:1' }))
    assert.deepEqual(stepsOf(elsewhere), ['validate', 'resolve: address_forbidden'])
  })

  it('are tried for ten seconds at most', async () => {
    await world.s3.fail({ on: 'head', kind: 'slow', milliseconds: 60_000 })
    const began = Date.now()
    const body = { driver: 's3', config: world.s3.config() }
    const answer = await world.admin.post('/configs/storage/test-connection', body)
    assert.deepEqual(stepsOf(answer).slice(3), ['put', 'head: timeout', 'delete'])
    assert.ok(Date.now() - began < 11_000)
  })

  it('that do not fit their driver are refused by name, tried or stored', async () => {
    const config = { ...world.s3.config(), endpoint: '', bucket: 'B', more: 1 }
    const tried = await world.admin.post('/configs/storage/test-connection', { driver: 's3', config })
    assert.deepEqual(refusalOf(tried), { status: 422, code: 4222, reason: 'storage_config_invalid' })
    const fields = (tried.body['errors'] as unknown as readonly { field: string }[]).map(({ field }) => field)
    assert.deepEqual([...new Set(fields)].toSorted(), ['config.bucket', 'config.endpoint', 'config.more'])
    const stored = await world.admin.put('/configs/groups/platform_storage', {
      storage_driver: 's3',
      storage_config: config,
    })
    assert.deepEqual(refusalOf(stored), { status: 422, code: 4222, reason: 'config_value_invalid' })
    const unknown = await world.admin.put('/configs/groups/platform_storage', { storage_driver: 'ftp' })
    assert.deepEqual(refusalOf(unknown).code, 4222)
    const mail = await world.admin.post('/configs/storage/test-connection', { driver: 's3' })
    assert.deepEqual(refusalOf(mail).code, 4220)
  })

  it('decide where new objects go, and leave the old ones where they are', async () => {
    const store = storageOf(world.platform.host).open('moved', world.tenantId)
    const before = await store.put('old', Buffer.from('old'))
    await setGroup(world.admin, 'platform_storage', { storage_driver: 's3', storage_config: world.s3.config() })
    const after = await store.put('new', Buffer.from('new'), { contentType: 'text/plain' })
    assert.deepEqual([before.driver, before.storageRef, after.driver], ['local', 'local', 's3'])
    assert.equal((await world.s3.state()).objects.length, 1)
    assert.deepEqual([await read(store, 'old'), await read(store, 'new')], ['old', 'new'])
    const url = await store.directUrl('new', { seconds: 60, disposition: 'inline' })
    assert.equal(await (await fetch(String(url))).text(), 'new')
    assert.equal(await store.directUrl('old', { seconds: 60 }), undefined)
    await setGroup(world.admin, 'platform_storage', { storage_config: world.s3.config({ prefix: 'other' }) })
    const third = await store.put('third', Buffer.from('third'))
    assert.notEqual(third.storageRef, after.storageRef)
    await setGroup(world.admin, 'platform_storage', { reset: ['storage_driver', 'storage_config'] })
    assert.deepEqual([await read(store, 'new'), await read(store, 'third')], ['new', 'third'])
    for (const key of ['old', 'new', 'third']) assert.equal(await store.delete(key), true)
    assert.equal((await world.s3.state()).objects.length, 0)
  })

  it('that only get a new key hold for the objects there are', async () => {
    const store = storageOf(world.platform.host).open('rotated', world.tenantId)
    await setGroup(world.admin, 'platform_storage', { storage_driver: 's3', storage_config: world.s3.config() })
    const kept = await store.put('k', Buffer.from('kept'))
    await setGroup(world.admin, 'platform_storage', { storage_config: world.s3.config({ secret_access_key: 'wrong' }) })
    await assert.rejects(store.get('k'), { code: 5022 })
    await setGroup(world.admin, 'platform_storage', { storage_config: world.s3.config() })
    assert.deepEqual([await read(store, 'k'), (await store.stat('k'))?.storageRef], ['kept', kept.storageRef])
    await setGroup(world.admin, 'platform_storage', { reset: ['storage_driver', 'storage_config'] })
  })

  it('keep their secrets: masked on every way out, and kept when the mask comes back', async () => {
    const config = world.s3.config()
    const written = await setGroup(world.admin, 'platform_storage', { storage_driver: 's3', storage_config: config })
    const shown = itemsOf(await world.admin.get('/configs/groups/platform_storage'))['storage_config']?.['value']
    assert.deepEqual([JSON.stringify(written).includes(s3Secret), shown?.['secret_access_key']], [false, '********'])
    const masked = { ...config, secret_access_key: '********' }
    const tried = await world.admin.post('/configs/storage/test-connection', { driver: 's3', config: masked })
    assert.deepEqual([dataOf(tried)['ok'], JSON.stringify(tried.body).includes(s3Secret)], [true, false])
    await setGroup(world.admin, 'platform_storage', { storage_config: { ...masked, acl: 'private' } })
    const store = storageOf(world.platform.host).open('masked', 0)
    await store.put('k', Buffer.from('x'))
    assert.deepEqual(
      (await world.s3.state()).objects.map(({ acl }) => acl),
      ['private'],
    )
    const { knex } = world.platform.host.kernel.database
    const rows = await Promise.all(
      ['system_config_values', 'storage_volumes', 'audit_entries'].map((table) =>
        knex.schema.hasTable(table).then((is) => (is ? knex(table).select('*').queryContext({ tenant: 'all' }) : [])),
      ),
    )
    assert.equal(JSON.stringify(rows).includes(s3Secret), false)
    await store.delete('k')
    await setGroup(world.admin, 'platform_storage', { reset: ['storage_driver', 'storage_config'] })
  })

  it('may be of a driver that a plugin brings, as long as it is there', async () => {
    const { driver, kept } = memoryDriver('memory')
    const store = storageOf(world.platform.host).open('brought', world.tenantId)
    const service = world.platform.host.kernel.services.get(storageDrivers)
    {
      using registered = service.register(driver)
      await setGroup(world.admin, 'platform_storage', { storage_driver: 'memory', storage_config: { shelf: 'b' } })
      const stored = await store.put('k', Buffer.from('x'))
      assert.deepEqual([stored.driver, kept.size, registered !== undefined], ['memory', 1, true])
    }
    await assert.rejects(store.get('k'), { code: 4043, reason: 'storage_unavailable' })
    await assert.rejects(store.put('other', Buffer.from('x')), { code: 4043 })
    using again = service.register(driver)
    assert.deepEqual([await read(store, 'k'), again !== undefined], ['x', true])
    await setGroup(world.admin, 'platform_storage', { reset: ['storage_driver', 'storage_config'] })
    await store.delete('k')
    const odd = { ...driver, schema: { type: 'object', properties: { password: { type: 'string' } } } as const }
    assert.throws(() => service.register(odd), TypeError)
  })
})
