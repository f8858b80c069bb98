import assert from 'node:assert/strict'
import { storageDrivers } from '../../../core-plugins/storage/contract.ts'
import type { Answer } from '../../support/api.ts'
import { createUser, dataOf, refusalOf } from '../../support/platform.ts'
import { memoryDriver, read, storageOf } from '../../support/storage.ts'
import { s3Secret } from '../../support/s3-server.ts'
import { setGroup, setupStorageWorld, stepsOf, type StorageWorld } from '../../support/storage-world.ts'

const storage = '/tenant/configs/storage'
const modeRefusal = { status: 403, code: 4031, reason: 'storage_mode' }

describe('a tenant’s storage', () => {
  let world: StorageWorld
  const { driver: memory, kept } = memoryDriver('memory')
  const stack = new AsyncDisposableStack()
  before(async () => {
    world = stack.use(await setupStorageWorld())
    stack.use(world.platform.host.kernel.services.get(storageDrivers).register(memory))
  })
  after(() => stack.disposeAsync())
  beforeEach(async () => {
    await setGroup(world.admin, 'platform_tenant_storage', {
      tenant_storage_mode: 'allow_list',
      tenant_storage_allowed_drivers: ['local', 's3', 'memory'],
      tenant_storage_profiles: profiles(),
      tenant_storage_profile_secrets: { 'eu.secret_access_key': s3Secret },
    })
    dataOf(await put({ driver: null }))
    await world.s3.forget()
  })

  function profiles() {
    const whole = world.s3.config({ base_url: 'https://cdn.eu.test' })
    const config = Object.fromEntries(Object.entries(whole).filter(([name]) => name !== 'secret_access_key'))
    return [
      { id: 'eu', name: 'Europe', driver: 's3', config },
      { id: 'box', name: 'A box', driver: 'memory', config: { shelf: 'box' }, base_url: 'https://box.test' },
    ]
  }

  const put = (body: object): Promise<Answer> => world.owner.put(storage, body)
  const status = async () => dataOf(await world.owner.get(`${storage}/status`))
  const store = () => storageOf(world.platform.host).open('files', world.tenantId)
  const publicStorage = async () => {
    const answer = await world.owner.get('/api/public/tenant/config', { host: 'acme.localhost' })
    const { driver, base_url: baseUrl } = dataOf(answer)['storage'] as unknown as Record<string, unknown>
    return [driver, baseUrl]
  }

  it('is the platform’s until it chooses, and shows what it may choose without telling how it is reached', async () => {
    const found = await status()
    assert.deepEqual(
      [found['mode'], found['effective'], found['allowed'], found['usage'], found['existing_files']],
      [
        'allow_list',
        { driver: 'local', profile_id: null, base_url: '', source: 'platform' },
        {
          drivers: ['local', 's3', 'memory'],
          profiles: [
            { id: 'eu', name: 'Europe', driver: 's3' },
            { id: 'box', name: 'A box', driver: 'memory' },
          ],
        },
        { files: 0, bytes: 0, quota_bytes: null },
        [],
      ],
    )
    assert.equal(found['health']?.['ok'], true)
    const drivers = dataOf(await world.owner.get('/configs/storage/drivers'))
    assert.equal(drivers['allowed_mode'], 'allow_list')
    const items = drivers['items'] as unknown as readonly { name: string; schema?: object }[]
    assert.deepEqual(
      items.map(({ name, schema }) => [name, schema]),
      ['local', 's3', 'memory'].map((name) => [name, undefined]),
    )
  })

  it('follows a profile, whose files it keeps when it goes back', async () => {
    await store().put('first', Buffer.from('1'))
    const chosen = dataOf(await put({ profile_id: 'eu' }))
    assert.deepEqual(chosen['effective'], {
      driver: 's3',
      profile_id: 'eu',
      base_url: 'https://cdn.eu.test',
      source: 'profile',
    })
    await store().put('second', Buffer.from('22'))
    assert.equal((await world.s3.state()).objects.length, 1)
    assert.deepEqual(await publicStorage(), ['s3', 'https://cdn.eu.test'])
    dataOf(await put({ driver: null }))
    assert.deepEqual(await publicStorage(), ['local', ''])
    await store().put('third', Buffer.from('333'))
    const { usage, existing_files: files } = await status()
    const places = (files as unknown as readonly Record<string, unknown>[]).map(({ driver, files, bytes }) => [
      driver,
      files,
      bytes,
    ])
    assert.deepEqual(
      [usage, places.toSorted()],
      [
        { files: 3, bytes: 6, quota_bytes: null },
        [
          ['local', 2, 4],
          ['s3', 1, 2],
        ],
      ],
    )
    assert.deepEqual([await read(store(), 'first'), await read(store(), 'second')], ['1', '22'])
    for (const key of ['first', 'second', 'third']) await store().delete(key)
  })

  it('is refused what the mode does not leave to it', async () => {
    const own = { driver: 'memory', config: { shelf: 'own' } }
    assert.deepEqual(refusalOf(await put(own)), modeRefusal)
    await setGroup(world.admin, 'platform_tenant_storage', { tenant_storage_mode: 'self_managed' })
    assert.deepEqual(refusalOf(await put({ profile_id: 'eu' })), modeRefusal)
    assert.equal((await put(own)).status, 200)
    await setGroup(world.admin, 'platform_tenant_storage', { tenant_storage_allowed_drivers: ['local', 's3'] })
    assert.deepEqual(refusalOf(await put(own)), modeRefusal)
    assert.deepEqual(refusalOf(await put({ driver: 'ftp', config: {} })).code, 4049)
    assert.deepEqual((await status())['effective']?.['source'], 'platform')
  })

  it('is asked for clearly', async () => {
    for (const body of [
      {},
      { profile_id: 'eu', driver: 's3' },
      { profile_id: 'nowhere' },
      { profile_id: 7 },
      { driver: 'local', more: 1 },
    ]) {
      const answer = await put(body)
      assert.deepEqual([answer.status, answer.body['code']], [422, 4220], JSON.stringify(body))
    }
  })

  it('can be its own, with settings it wrote, and its secrets come out of nowhere', async () => {
    await setGroup(world.admin, 'platform_tenant_storage', { tenant_storage_mode: 'self_managed' })
    const listed = dataOf(await world.owner.get(`${storage}/drivers`))['items']
    assert.deepEqual(Object.keys(listed?.['0']?.['schema']?.['properties'] ?? {}), ['base_url'])
    const chosen = await put({
      driver: 'memory',
      config: { shelf: 'mine', access_token: 'open-sesame' },
      base_url: 'https://mine.test',
    })
    assert.deepEqual(dataOf(chosen)['effective'], {
      driver: 'memory',
      profile_id: null,
      base_url: 'https://mine.test',
      source: 'tenant',
    })
    await store().put('k', Buffer.from('x'))
    assert.ok([...kept.keys()].some((at) => at.startsWith('mine:')))
    const group = await world.owner.get('/tenant/configs/groups/tenant_storage')
    assert.match(JSON.stringify(group.body), /"access_token":"\*{8}"/)
    dataOf(await put({ driver: 'memory', config: { shelf: 'mine', access_token: '********' } }))
    const seen = [
      chosen,
      group,
      await world.owner.get(`${storage}/status`),
      await world.owner.get('/tenant/audit-logs'),
    ]
    assert.doesNotMatch(JSON.stringify(seen.map(({ body }) => body)), /open-sesame/)
    assert.deepEqual(refusalOf(await put({ driver: 'local', config: { root: 'var/storage/x' } })).code, 4222)
    await store().delete('k')
  })

  it('is tried before it is chosen, unless that is not wanted', async () => {
    await world.s3.fail({ on: 'put', kind: 'status', status: 403, code: 'AccessDenied' })
    const refused = await put({ profile_id: 'eu' })
    assert.deepEqual(refusalOf(refused), { status: 400, code: 4002, reason: 'storage_test_failed' })
    assert.deepEqual(stepsOf(refused), ['validate', 'resolve', 'connect', 'put: AccessDenied', 'delete'])
    assert.equal((await status())['effective']?.['source'], 'platform')
    assert.equal((await put({ profile_id: 'eu', skip_test: true })).status, 200)
  })

  it('is not silently another when its profile is gone', async () => {
    dataOf(await put({ profile_id: 'box' }))
    await store().put('k', Buffer.from('x'))
    await setGroup(world.admin, 'platform_tenant_storage', { tenant_storage_profiles: profiles().slice(0, 1) })
    await assert.rejects(store().put('other', Buffer.from('x')), { code: 4043 })
    assert.equal(await read(store(), 'k'), 'x')
    const { health, effective } = await status()
    assert.deepEqual([health?.['ok'], effective?.['profile_id']] as unknown[], [false, 'box'])
  })

  it('comes from profiles that fit their drivers, with their secrets apart', async () => {
    const write = (values: object): Promise<Answer> =>
      world.admin.put('/configs/groups/platform_tenant_storage', values)
    const rulesOf = ({ status: code, body }: Answer): unknown => [
      code,
      ((body['errors'] ?? []) as unknown as readonly { rule: string }[]).map(({ rule }) => rule),
    ]
    const one = { id: 'a', name: 'A', driver: 'memory' }
    const only = (...list: object[]) => ({ tenant_storage_profiles: list, tenant_storage_profile_secrets: {} })
    for (const [values, rules] of [
      [{ tenant_storage_profiles: [{ id: 'A B' }] }, ['shape']],
      [only(one, one), ['unique']],
      [only({ ...one, config: { access_token: 'x' } }), ['secret']],
      [only({ ...one, driver: 'ftp' }), ['driver']],
      [{ tenant_storage_profile_secrets: { 'us.secret_access_key': 'x' } }, ['required', 'orphan']],
    ] as const) {
      assert.deepEqual(rulesOf(await write(values)), [422, rules])
    }
    const group = await world.admin.get('/configs/groups/platform_tenant_storage')
    assert.match(JSON.stringify(group.body), /"eu\.secret_access_key":"\*{8}"/)
    assert.equal(JSON.stringify(group.body).includes(s3Secret), false)
  })

  it('waits where the platform wants to approve it', async () => {
    await setGroup(world.admin, 'platform_tenant_policy', { tenant_config_approval: 'sensitive' })
    const answer = await put({ profile_id: 'box' })
    assert.deepEqual(
      [answer.status, (dataOf(answer, 202)['pending'] as unknown as string[]).includes('storage_profile')],
      [202, true],
    )
    assert.equal((await status())['effective']?.['source'], 'platform')
    assert.equal(refusalOf(await put({ profile_id: 'eu', skip_test: true })).code, 4093)
    const id = Number(dataOf(await world.owner.get('/tenant/configs/changes'))['items']?.['0']?.['id'])
    dataOf(await world.owner.post(`/tenant/configs/changes/${id}/cancel`, {}))
    await setGroup(world.admin, 'platform_tenant_policy', { tenant_config_approval: 'off' })
  })

  it('is for those with the permissions of configuration, each path for its scope', async () => {
    const reader = await createUser(world.owner, 'acme', ['tenant_config:groups'])
    const [nobody, test] = [await createUser(world.owner, 'acme', []), { driver: 'local', config: {} }]
    const asked = async (who: typeof reader, at: string): Promise<readonly unknown[]> => {
      const answers = [
        await who.get(`${at}/drivers`),
        await who.get(`${at}/status`),
        await who.put(at, { driver: null }),
        await who.post(`${at}/test-connection`, test),
        await who.get(`${at}/drivers/local/schema`),
      ]
      return answers.map((answer) => (answer.status === 200 ? 200 : answer.body['code']))
    }
    for (const [at, schema] of [
      ['/tenant/configs/storage', 4044],
      ['/configs/storage', 4033],
    ] as const) {
      assert.deepEqual(await asked(nobody, at), [4031, 4031, 4031, 4031, schema])
      assert.deepEqual(await asked(reader, at), [200, 200, 4031, 4031, schema])
      assert.deepEqual(await asked(world.owner, at), [200, 200, 200, 200, schema])
    }
    assert.deepEqual(await asked(world.owner, '/admin/configs/storage'), [4033, 4044, 4044, 4033, 4033])
    assert.deepEqual(await asked(world.admin, '/configs/storage'), [200, 4033, 4033, 200, 200])
    assert.deepEqual(await asked(world.admin, '/tenant/configs/storage'), [4033, 4033, 4033, 4033, 4044])
  })
})
