import assert from 'node:assert/strict'
import { storageVolumes } from '../../../core-plugins/storage/contract.ts'
import type { Api, Answer } from '../../support/api.ts'
import { startFakeDns, type FakeDns } from '../../support/fake-dns.ts'
import { createUser, dataOf, refusalOf } from '../../support/platform.ts'
import { storageOf } from '../../support/storage.ts'
import { setGroup, setupStorageWorld, stepsOf, type StorageWorld } from '../../support/storage-world.ts'
import { forbiddenUrls } from '../../kernel/http/guarded-fetch-addresses.ts'
import { nearUrls } from '../hostile/urls.ts'

const names: Readonly<Record<string, readonly string[]>> = {
  'loopback.example.com': ['127.0.0.1'],
  'loopback6.example.com': ['0:0:0:0:0:0:0:1'],
  'mapped.example.com': ['0:0:0:0:0:ffff:7f00:1'],
  'mixed.example.com': ['93.184.216.34', '127.0.0.1'],
  'metadata.example.com': ['169.254.169.254'],
  'metadata.google.internal': ['169.254.169.254'],
  'private.example.com': ['10.1.2.3'],
  'link.example.com': ['fe80:0:0:0:0:0:0:1'],
}
/** Fewer than one user may try in a minute. */
const chunk = 25

describe('settings that a tenant brings', () => {
  const stack = new AsyncDisposableStack()
  let world: StorageWorld
  let dns: FakeDns
  const rebound = new Set<string>()

  before(async () => {
    // Public when it is looked at for the first time, and near us ever after.
    const answer = (name: string, type: string): readonly string[] => {
      if (name !== 'rebinding.example.com') return names[name] ?? []
      if (rebound.has(type)) return ['127.0.0.1']
      rebound.add(type)
      return ['93.184.216.34']
    }
    dns = stack.use(await startFakeDns(answer))
    world = stack.use(await setupStorageWorld({ env: { DNS_SERVERS: dns.address } }))
    await setGroup(world.admin, 'platform_tenant_storage', { tenant_storage_mode: 'self_managed' })
  })
  after(() => stack.disposeAsync())
  beforeEach(() => world.s3.state())

  const test = (who: Api, more: object): Promise<Answer> =>
    who.post('/configs/storage/test-connection', { driver: 's3', config: { ...world.s3.config(), ...more } })
  const outcomeOf = (answer: Answer): unknown => (answer.status === 200 ? stepsOf(answer).at(-1) : answer.body['code'])

  it(`never lead to any of ${nearUrls.length + forbiddenUrls.length} spellings of a near place`, async () => {
    const spelled = [...nearUrls, ...forbiddenUrls].map((url) => url.replace(/PORT|UPSTREAM/, String(world.s3.port)))
    const endpoints = [...new Set(spelled.flatMap((url) => /^https?:\/\/[^/?#]+/.exec(url)?.[0] ?? []))]
    const outcomes: unknown[] = []
    for (let at = 0; at < endpoints.length; at += chunk) {
      const user = await createUser(world.owner, 'acme', ['tenant_config:update'])
      for (const endpoint of endpoints.slice(at, at + chunk)) {
        const answer = await test(user, { endpoint })
        const outcome = outcomeOf(answer)
        const isRefused = ['resolve: address_forbidden', 'resolve: name_not_resolved', 4222].includes(outcome as string)
        if (!isRefused) outcomes.push([endpoint, outcome])
      }
    }
    assert.deepEqual([outcomes, (await world.s3.state()).seen, endpoints.length > 100], [[], [], true])
  })

  it('are not helped by the exceptions that the operator made for the platform', async () => {
    assert.equal(outcomeOf(await test(world.owner, {})), 'resolve: address_forbidden')
    assert.equal(outcomeOf(await test(world.owner, { force_path_style: false })), 'resolve: address_forbidden')
    assert.equal(dataOf(await test(world.admin, {}))['ok'], true)
  })

  it('never lead near through a name, nor through one that changes its mind', async () => {
    for (const name of Object.keys(names)) {
      const outcome = outcomeOf(await test(world.owner, { endpoint: `http://${name}:${world.s3.port}` }))
      assert.equal(outcome, 'resolve: address_forbidden', name)
    }
    const answer = await test(world.owner, { endpoint: `http://rebinding.example.com:${world.s3.port}` })
    assert.deepEqual(
      [stepsOf(answer), (await world.s3.state()).seen],
      [['validate', 'resolve', 'connect: address_forbidden'], []],
    )
  })

  it('name an origin and nothing more', async () => {
    const wrong = [
      'ftp://s3.example.com',
      'http://a@s3.example.com',
      'https://s3.example.com/path',
      'http://s3.example.com?x',
      's3',
      7,
    ]
    for (const endpoint of wrong) assert.equal(outcomeOf(await test(world.owner, { endpoint })), 4222, String(endpoint))
  })

  it('lead nowhere either when they are stored without a test', async () => {
    const body = { driver: 's3', config: world.s3.config(), skip_test: true }
    const chosen = dataOf(await world.owner.put('/tenant/configs/storage', body))
    assert.deepEqual([chosen['health']?.['ok'], chosen['health']?.['error']] as unknown[], [false, 'address_forbidden'])
    const store = storageOf(world.platform.host).open('files', world.tenantId)
    await assert.rejects(store.put('k', Buffer.from('x')), { code: 5022 })
    // Nor by its name, as objects that lie there would be read.
    const volumes = world.platform.host.kernel.services.get(storageVolumes)
    const { volume } = await volumes.byRef((await volumes.current(world.tenantId)).ref)
    await assert.rejects(volume.head('t1/a'), { code: 5022, details: { reason: 'address_forbidden' } })
    assert.deepEqual((await world.s3.state()).seen, [])
    const refused = await world.owner.put('/tenant/configs/storage', { ...body, skip_test: false })
    assert.deepEqual(refusalOf(refused), { status: 400, code: 4002, reason: 'storage_test_failed' })
    dataOf(await world.owner.put('/tenant/configs/storage', { driver: null }))
  })

  it('and those of the platform follow no redirect', async () => {
    const location = `http://127.0.0.1:${world.s3.port}/elsewhere`
    await world.s3.fail({ on: 'put', kind: 'redirect', location })
    assert.equal(stepsOf(await test(world.admin, {}))[3], 'put: redirected')
    assert.deepEqual((await world.s3.state()).seen, ['bucket', 'put', 'delete'])
  })
})
