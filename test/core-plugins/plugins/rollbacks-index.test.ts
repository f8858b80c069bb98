import assert from 'node:assert/strict'
import { pathToFileURL } from 'node:url'
import { dataOf, refusalOf, startPlatform, type Platform } from '../../support/platform.ts'
import { packSmall, upload } from '../../support/small-plugin.ts'
import { until } from '../../support/until.ts'
import { upgrade } from './upgrades-world.ts'
import { TestIndex } from '../plugin-index/world.ts'

const plugin = '/admin/plugins/acme.old'
const asking = { capabilities: ['http'], reasons: { http: 'Asks.' }, http: { hosts: [{ host: 'a.example.com' }] } }

describe('the way back to a release that an index has', () => {
  let platform: Platform
  let index: TestIndex

  before(async () => {
    index = await TestIndex.create('official')
    await index.publish('acme.old', { manifest: { version: '0.8.0', ...asking } })
    for (const version of ['0.9.0', '1.0.0']) await index.publish('acme.old', { manifest: { version } })
    await index.build()
    platform = await startPlatform()
    const { admin } = platform
    dataOf(
      await admin.post('/plugins/sources', { id: 'main', name: 'Main', url: pathToFileURL(index.directory).href }),
      201,
    )
    dataOf(await admin.post('/plugins/sources/main/refresh'))
    dataOf(await admin.post('/plugins/install', { name: 'acme.old', version: '1.0.0' }), 201)
  })
  after(async () => {
    await platform[Symbol.asyncDispose]()
    await index[Symbol.asyncDispose]()
  })

  /** Does what else happens between a rollback's look at the releases and its lock, which it waits for meanwhile. */
  async function beforeItsLock<T>(call: () => Promise<T>, happens: () => Promise<unknown>): Promise<T> {
    const { knex } = platform.host.kernel.database
    const held = await knex.transaction()
    await held.raw('lock table plugin_locks in share mode')
    const answer = call()
    await until(async () => {
      const waiting = knex('pg_locks').queryContext({ tenant: 'all' }).where({ granted: false })
      return (await waiting.whereRaw(`relation = 'plugin_locks'::regclass`)).length > 0
    })
    await happens()
    await held.rollback()
    return answer
  }
  async function forget(name: string, version: string): Promise<void> {
    await platform.host.kernel.database.knex.transaction(async (trx) => {
      const releases = trx<{ id: number; name: string; version: string }>('plugin_releases').queryContext({
        tenant: 'all',
      })
      const id = (await releases.where({ name, version }).first('id'))?.id
      const plugins = trx('plugins').queryContext({ tenant: 'all' }).where({ previous_release: id })
      await plugins.update({ previous_release: null })
      assert.equal(await trx('plugin_releases').queryContext({ tenant: 'all' }).where({ id }).delete(), 1)
    })
  }
  const rollBack = (version: string) => platform.admin.post(`${plugin}/rollback`, { version })
  const active = async () => dataOf(await platform.admin.get(plugin))['version'] as unknown

  it('takes it from the source that the plugin belongs to', async () => {
    assert.equal(dataOf(await rollBack('0.9.0'))['version'], '0.9.0')
    assert.equal(dataOf(await platform.admin.post(`${plugin}/rollback`))['version'], '1.0.0')
  })

  it('is refused to one that the source does not have, and to one that asks for more than was granted', async () => {
    const before = await active()
    assert.equal(refusalOf(await rollBack('0.1.0')).code, 4046)
    const refused = await rollBack('0.8.0')
    assert.deepEqual(refusalOf(refused), { status: 409, code: 4094, reason: 'plugin_release_not_granted' })
    assert.deepEqual(refused.body['details'], { capabilities: ['http', 'routes', 'limits'] })
    assert.equal(await active(), before)
  })

  it('brings one that was pruned before it had the lock', async () => {
    assert.equal(await active(), '1.0.0')
    const done = await beforeItsLock(
      () => rollBack('0.9.0'),
      () => forget('acme.old', '0.9.0'),
    )
    assert.equal(dataOf(done)['version'], '0.9.0')
    const { items } = dataOf(await platform.admin.get(`${plugin}/operations?kind=rollback&limit=1`)) as unknown as {
      items: { state: string; steps: { step: string }[] }[]
    }
    assert.equal(items[0]?.state, 'succeeded')
    const steps = items[0].steps.map(({ step }) => step)
    assert.deepEqual(steps.slice(0, 4), ['download', 'verify_package', 'store', 'keep'])
    assert.equal(dataOf(await platform.admin.post(`${plugin}/rollback`))['version'], '1.0.0')
  })

  it('says that one which was uploaded is not kept any more, and leaves everything as it was', async () => {
    const { admin } = platform
    const sent = '/admin/plugins/acme.sent'
    dataOf(await upload(admin, await packSmall('acme.sent')), 201)
    for (const version of ['1.1.0', '1.2.0'])
      dataOf(await upgrade(admin, 'acme.sent', await packSmall('acme.sent', { version })))
    const refused = await beforeItsLock(
      () => admin.post(`${sent}/rollback`, { version: '1.0.0' }),
      () => forget('acme.sent', '1.0.0'),
    )
    assert.deepEqual(refusalOf(refused), { status: 404, code: 4040, reason: 'plugin_release_not_kept' })
    const { version, status, running_operations: running } = dataOf(await admin.get(sent))
    assert.deepEqual({ version, status, running }, { version: '1.2.0', status: 'installed', running: [] })
    assert.equal(dataOf(await admin.post(`${sent}/rollback`))['version'], '1.1.0')
  })
})
