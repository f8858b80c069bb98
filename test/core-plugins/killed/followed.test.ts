import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import type { Answer, Api, Body } from '../../support/api.ts'
import { dataOf, refusalOf } from '../../support/platform.ts'
import { until } from '../../support/until.ts'
import { HeldIndex } from './index.ts'
import { MortalPlatform } from './world.ts'

const follows = { prefer: 'respond-async' }

interface Followed {
  readonly state: string
  readonly step: string | null
  readonly plan: readonly string[]
  readonly progress: { readonly done: number; readonly total: number } | null
  readonly trace_id: string
  readonly error: { readonly reason: string } | null
}

describe('work that is followed instead of waited for', () => {
  let platform: MortalPlatform
  let index: HeldIndex
  let admin: Api

  before(async () => {
    index = await HeldIndex.start()
    platform = await MortalPlatform.start(1, { env: { EGRESS_ALLOW_PRIVATE: index.host } })
    admin = await platform.admin()
    for (const name of ['acme.coming', 'acme.killed', 'acme.twice']) await index.publish(name, 'first', 'narrow')
    await index.addTo(admin, 'main')
  })
  after(async () => {
    await platform[Symbol.asyncDispose]()
    await index[Symbol.asyncDispose]()
  })

  const begin = (path: string, body: object = {}, headers = {}): Promise<Answer> =>
    admin.post(path, body, { headers: { ...follows, ...headers } })
  /** The operation that an answer leads to. */
  function placeOf(answer: Answer): string {
    const { operation_id: id } = dataOf(answer, 202)
    const { location, 'preference-applied': applied } = answer.headers
    assert.equal(applied, 'respond-async')
    assert.match(String(location), new RegExp(`^/admin/plugins/acme\\.[a-z]+/operations/${id as unknown as string}$`))
    return String(location)
  }
  const read = async (place: string) => dataOf(await admin.get(place)) as unknown as Followed
  async function ended(place: string): Promise<Followed> {
    await until(async () => (await read(place)).state !== 'running')
    return read(place)
  }
  const folders = (): Promise<readonly string[]> =>
    readdir(path.join(platform.victim.dataDir, 'staging')).catch(() => [])
  async function allow(name: string): Promise<void> {
    const { consent } = dataOf(await admin.get(`/admin/plugins/${name}`)) as { consent: Body }
    const { release_hash, diff_hash } = consent
    const place = placeOf(await begin(`/admin/plugins/${name}/consent`, { accept: true, release_hash, diff_hash }))
    assert.equal((await ended(place)).state, 'succeeded')
  }

  it('is answered once its operation is recorded: the package comes as steps of it, in bytes', async () => {
    const isHeld = index.held('releases/acme.coming-1.0.0')
    const key = { 'idempotency-key': 'one-install' }
    const answer = await begin('/admin/plugins/install', { name: 'acme.coming', version: '1.0.0' }, key)
    const place = placeOf(answer)
    await isHeld
    const coming = await read(place)
    assert.deepEqual(
      [coming.state, coming.step, coming.plan],
      ['running', 'download', ['download', 'verify', 'store', 'load_test', 'commit', 'converge', 'hook']],
    )
    const { total } = coming.progress ?? assert.fail('nothing is measured')
    assert.ok(total > 500, JSON.stringify(coming.progress))
    assert.equal(coming.trace_id, answer.body['trace_id'])
    // The same request again is the same work, also while it goes on.
    const again = await begin('/admin/plugins/install', { name: 'acme.coming', version: '1.0.0' }, key)
    assert.deepEqual([placeOf(again), again.headers['idempotent-replayed']], [place, 'true'])
    assert.equal(refusalOf(await begin('/admin/plugins/install', { name: 'acme.coming' })).code, 4092)
    index.goOn()
    const { state, plan, progress } = await ended(place)
    assert.deepEqual([state, plan[0], plan[1], plan.length, progress], ['succeeded', 'download', 'verify', 6, null])
    await allow('acme.coming')
    assert.deepEqual(await folders(), [])
  })

  it('is an upgrade, a switch, a way back and a removal as well; what cannot begin is refused at once', async () => {
    const plugin = '/admin/plugins/acme.coming'
    assert.equal((await ended(placeOf(await begin(`${plugin}/enable`)))).state, 'succeeded')
    const key = { 'idempotency-key': 'one-upgrade' }
    const upgrade = placeOf(await begin(`${plugin}/upgrade`, { version: '1.1.0' }, key))
    assert.equal(placeOf(await begin(`${plugin}/upgrade`, { version: '1.1.0' }, key)), upgrade)
    const { state, plan } = await ended(upgrade)
    assert.deepEqual([state, plan.slice(0, 3)], ['succeeded', ['download', 'verify', 'store']])
    for (const verb of ['rollback', 'disable', 'repair'])
      assert.equal((await ended(placeOf(await begin(`${plugin}/${verb}`)))).state, 'succeeded', verb)
    assert.equal(refusalOf(await begin(`${plugin}/upgrade`, { version: '9.9.9' })).code, 4046)
    assert.equal(refusalOf(await begin('/admin/plugins/acme.nowhere/enable')).code, 4046)
    assert.equal(refusalOf(await begin('/admin/plugins/install', { name: 'acme.coming' })).code, 4094)
    assert.equal(refusalOf(await begin(`${plugin}/consent`, {})).code, 4220)
    // What has begun and comes to nothing says so itself.
    const failed = await ended(placeOf(await begin(`${plugin}/rollback`, { version: '1.0.0' })))
    assert.deepEqual([failed.state, failed.error?.reason], ['failed', 'plugin_release_active'])
    const removal = await admin.delete(plugin, { headers: follows })
    assert.equal((await ended(placeOf(removal))).state, 'succeeded')
  })

  it('waits for the end, as ever, without the header', async () => {
    const isHeld = index.held('releases/acme.twice-1.0.0')
    const answering = admin.post('/admin/plugins/install', { name: 'acme.twice', version: '1.0.0' })
    await isHeld
    assert.equal((await platform.db('plugin_operations').where({ plugin: 'acme.twice' })).length, 0)
    index.goOn()
    const answer = await answering
    assert.deepEqual(
      [dataOf(answer, 201)['status'], answer.headers['preference-applied']],
      ['awaiting_consent', undefined],
    )
    const [{ steps }] = (await platform.db('plugin_operations').where({ plugin: 'acme.twice' })) as [{ steps: Body[] }]
    assert.deepEqual(steps[0]?.['step'], 'store')
  })

  it('is over, and nothing of it left, when its host is killed while the package comes', async () => {
    const isHeld = index.held('releases/acme.killed-1.0.0')
    const place = placeOf(await begin('/admin/plugins/install', { name: 'acme.killed', version: '1.0.0' }))
    await isHeld
    assert.equal((await folders()).length, 1)
    await platform.victim.kill()
    await platform.restart()
    admin = await platform.admin()
    const { state, step, error } = await ended(place)
    assert.deepEqual([state, step, error?.reason], ['aborted', 'download', 'plugin_operation_interrupted'])
    assert.equal(refusalOf(await admin.get('/admin/plugins/acme.killed')).code, 4046)
    await until(async () => (await folders()).length === 0)
    assert.equal(
      (await ended(placeOf(await begin('/admin/plugins/install', { name: 'acme.killed' })))).state,
      'succeeded',
    )
  })
})
