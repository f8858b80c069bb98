// @both-back-ends
import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import type { Answer, Api, Body } from '../../support/api.ts'
import { testRedisUrl } from '../../support/cluster.ts'
import { createTenant, dataOf, refusalOf } from '../../support/platform.ts'
import { itOnRedis } from '../../support/it-on-redis.ts'
import { until } from '../../support/until.ts'
import { HeldIndex } from './index.ts'
import { MortalPlatform } from './world.ts'

const name = 'acme.arriving'
const plugin = `/admin/plugins/${name}`
const headers = { prefer: 'respond-async' }

interface Arriving {
  readonly id: string
  readonly state: string
  readonly step: string | null
  readonly plan: readonly string[]
  readonly cancellable: boolean
  readonly error: { readonly reason: string } | null
}

describe('an upgrade whose package is on its way', () => {
  let platform: MortalPlatform
  let index: HeldIndex
  let admin: Api

  before(async () => {
    index = await HeldIndex.start()
    const hosts = testRedisUrl() === undefined ? 1 : 2
    platform = await MortalPlatform.start(hosts, { env: { EGRESS_ALLOW_PRIVATE: index.host } })
    admin = await platform.admin()
    await index.publish(name, 'older', 'first', 'narrow')
    await index.publish('acme.unwanted', 'first')
    await index.addTo(admin, 'main')
  })
  beforeEach(async () => {
    dataOf(await admin.post('/admin/plugins/install', { name, version: '1.0.0' }), 201)
    const { consent } = dataOf(await admin.get(plugin)) as { consent: Body }
    const { release_hash, diff_hash } = consent
    dataOf(await admin.post(`${plugin}/consent`, { accept: true, release_hash, diff_hash }))
    dataOf(await admin.post(`${plugin}/enable`))
  })
  afterEach(async () => {
    index.goOn()
    await admin.delete(`${plugin}?purge=true`)
    await platform.settled(name)
  })
  after(async () => {
    await platform[Symbol.asyncDispose]()
    await index[Symbol.asyncDispose]()
  })

  const read = async (place: string) => dataOf(await admin.get(place)) as unknown as Arriving
  const version = async () => (dataOf(await admin.get(plugin)) as unknown as { version: string }).version
  const cancel = (id: string, by: Api = admin): Promise<Answer> => by.post(`/admin/plugins/operations/${id}/cancel`)
  const folders = (): Promise<readonly string[]> =>
    readdir(path.join(platform.victim.dataDir, 'staging')).catch(() => [])
  const placeOf = (answer: Answer): string => {
    dataOf(answer, 202)
    return String(answer.headers['location'])
  }
  async function ended(place: string): Promise<Arriving> {
    await until(async () => (await read(place)).state !== 'running')
    return read(place)
  }
  /** The operation, half of whose package is here. */
  async function begin(): Promise<string> {
    const isHeld = index.held(`releases/${name}-1.1.0`)
    const place = placeOf(await admin.post(`${plugin}/upgrade`, { version: '1.1.0' }, { headers }))
    await isHeld
    return place
  }

  it('keeps nobody from the plugin but other packages of it, and is done once the package is there', async () => {
    const place = await begin()
    const { id: tenant } = await createTenant(admin, 'arriving')
    dataOf(await admin.post(`${plugin}/tenants`, { tenant_ids: [tenant] }))
    dataOf(await admin.post(`${plugin}/disable`))
    dataOf(await admin.put(`${plugin}/menu-config`, { entries: null }))
    dataOf(await admin.post(`${plugin}/enable`))
    dataOf(await admin.post(`${plugin}/disable`))
    for (const body of [{ version: '1.1.0' }, {}])
      assert.equal(refusalOf(await admin.post(`${plugin}/upgrade`, body, { headers })).code, 4092)
    const { state, step, cancellable } = await read(place)
    assert.deepEqual([state, step, cancellable], ['running', 'download', true])
    index.goOn()
    const { state: end, plan, cancellable: after } = await ended(place)
    assert.deepEqual([end, plan.slice(0, 3), after], ['succeeded', ['download', 'verify', 'store'], false])
    const { status } = dataOf(await admin.get(plugin)) as { status: unknown }
    assert.deepEqual([await version(), status], ['1.1.0', 'installed'])
  })

  it('looks at everything again then: one that was pinned or removed meanwhile stays so', async () => {
    const pinned = await begin()
    dataOf(await admin.put(`${plugin}/pin`, { pinned: true }))
    index.goOn()
    const { state, error } = await ended(pinned)
    assert.deepEqual([state, error?.reason, await version()], ['failed', 'plugin_pinned', '1.0.0'])
    const refused = await admin.post(`${plugin}/upgrade`, { version: '1.1.0' }, { headers })
    assert.equal(refusalOf(refused).reason, 'plugin_pinned')
    dataOf(await admin.put(`${plugin}/pin`, { pinned: false }))

    const place = await begin()
    dataOf(await admin.delete(`${plugin}?purge=true`))
    const { state: end, error: why } = await read(place)
    assert.deepEqual([end, why?.reason], ['aborted', 'plugin_operation_superseded'])
    await until(async () => (await folders()).length === 0)
  })

  it('waits for what is being done to the plugin when the package is there', async () => {
    const place = await begin()
    const { id } = await read(place)
    const other = crypto.randomUUID()
    const lock = { plugin: name, operation_id: other, holder: 'elsewhere', fencing: 0 }
    await platform.db('plugin_locks').insert({ ...lock, expires_at: platform.db.raw(`now() + interval '1 hour'`) })
    index.goOn()
    await until(async () => (await read(place)).step === 'wait')
    const { plan, cancellable } = await read(place)
    assert.deepEqual([plan.slice(0, 4), cancellable], [['download', 'verify', 'wait', 'store'], true])
    await platform.db('plugin_locks').where({ operation_id: other }).delete()
    assert.equal((await ended(place)).state, 'succeeded')
    assert.deepEqual(refusalOf(await cancel(id)).reason, 'plugin_operation_not_cancellable')
    assert.equal(await version(), '1.1.0')
  })

  it('is called off while it downloads: nothing of it is left, and the next one may begin at once', async () => {
    const place = await begin()
    const { id } = await read(place)
    const body = dataOf(await cancel(id)) as unknown as Arriving
    assert.deepEqual(
      [body.id, body.state, body.error?.reason, body.cancellable],
      [id, 'aborted', 'plugin_operation_cancelled', false],
    )
    // Long before a source that says nothing would be given up.
    await until(async () => (await folders()).length === 0, 5_000)
    assert.deepEqual(refusalOf(await cancel(id)), {
      status: 409,
      code: 4094,
      reason: 'plugin_operation_not_cancellable',
    })
    assert.deepEqual(refusalOf(await cancel(crypto.randomUUID())).code, 4040)
    const { items } = dataOf(await admin.get('/admin/audit-logs?action=plugin.operation_cancelled'))
    const [entry] = items as unknown as { target: string; after: Body }[]
    assert.deepEqual([entry?.target, entry?.after['operation']], [`plugin:${name}`, id])
    const next = placeOf(await admin.post(`${plugin}/upgrade`, { version: '1.1.0' }, { headers }))
    assert.equal((await ended(next)).state, 'succeeded')
    assert.deepEqual([await version(), (await read(place)).state], ['1.1.0', 'aborted'])
  })

  it('is called off by who may do what it does, and so is an install', async () => {
    const isHeld = index.held('releases/acme.unwanted-1.0.0')
    const answer = await admin.post('/admin/plugins/install', { name: 'acme.unwanted' }, { headers })
    const install = placeOf(answer)
    await isHeld
    const { id } = await read(install)
    const upgrader = await staffWith('upgrader', ['platform_plugin:upgrade', 'platform_plugin:detail'])
    assert.deepEqual(refusalOf(await cancel(id, upgrader)).code, 4031)
    const place = await begin()
    dataOf(await cancel((await read(place)).id, upgrader))
    dataOf(await cancel(id))
    assert.deepEqual([(await read(install)).state, (await read(place)).state], ['aborted', 'aborted'])
    assert.equal(refusalOf(await admin.get('/admin/plugins/acme.unwanted')).code, 4046)
  })

  itOnRedis('is called off on another host than the one that downloads', async () => {
    const place = await begin()
    const other = await platform.admin(platform.other)
    dataOf(await cancel((await read(place)).id, other))
    assert.equal((await read(place)).error?.reason, 'plugin_operation_cancelled')
    await until(async () => (await folders()).length === 0)
    assert.equal(await version(), '1.0.0')
  })

  it('is the same where a way back leads to a release that is not kept here', async () => {
    const [older, newer] = [{ version: '0.9.0' }, { version: '1.1.0' }]
    dataOf(await admin.post(`${plugin}/upgrade`, newer))
    const back = async () => {
      const isHeld = index.held(`releases/${name}-0.9.0`)
      const place = placeOf(await admin.post(`${plugin}/rollback`, older, { headers }))
      await isHeld
      return place
    }
    const place = await back()
    dataOf(await admin.post(`${plugin}/disable`))
    dataOf(await admin.post(`${plugin}/enable`))
    // One that has its release here need not wait.
    dataOf(await admin.post(`${plugin}/rollback`))
    assert.equal(await version(), '1.0.0')
    const other = [await admin.post(`${plugin}/rollback`, older), await admin.post(`${plugin}/upgrade`, newer)]
    assert.deepEqual(
      other.map((answer) => refusalOf(answer).code),
      [4092, 4092],
    )
    const { id, step, cancellable } = await read(place)
    assert.deepEqual([step, cancellable], ['download', true])
    const watcher = await staffWith('watcher', ['platform_plugin:upgrade', 'platform_plugin:detail'])
    assert.equal(refusalOf(await cancel(id, watcher)).code, 4031)
    dataOf(await cancel(id))
    const { state, error } = await read(place)
    assert.deepEqual([state, error?.reason], ['aborted', 'plugin_operation_cancelled'])
    await until(async () => (await folders()).length === 0, 5_000)

    const again = await back()
    dataOf(await admin.post(`${plugin}/disable`))
    index.goOn()
    const { state: end, plan, cancellable: after } = await ended(again)
    assert.deepEqual(
      [end, plan.slice(0, 4), after],
      ['succeeded', ['download', 'verify_package', 'store', 'keep'], false],
    )
    const { status } = dataOf(await admin.get(plugin)) as { status: unknown }
    assert.deepEqual([await version(), status], ['0.9.0', 'installed'])
  })

  it('is over within the lease when its host is killed, and nothing is half written', async () => {
    const place = await begin()
    await platform.victim.kill()
    await platform.restart()
    admin = await platform.admin()
    const { state, step, error } = await ended(place)
    assert.deepEqual([state, step, error?.reason], ['aborted', 'download', 'plugin_operation_interrupted'])
    index.goOn()
    await until(async () => (await platform.db('plugin_locks').select('plugin')).length === 0)
    const { status } = dataOf(await admin.get(plugin)) as { status: unknown }
    assert.deepEqual([await version(), status], ['1.0.0', 'enabled'])
    // Beside other hosts what a dead one had on its disk stays for the lease of that.
    if (testRedisUrl() === undefined) await until(async () => (await folders()).length === 0)
  })

  async function staffWith(code: string, permissions: readonly string[]): Promise<Api> {
    dataOf(await admin.post('/admin/roles', { code, name: code, permissions }), 201)
    const email = `${code}@stoa.test`
    const password = 'a long Enough 1 password'
    dataOf(await admin.post('/admin/users', { email, roles: [code], password }), 201)
    const session = dataOf(await admin.as('').post('/admin/auth/login/json', { email, password }))
    return admin.as(session['access_token'])
  }
})
