// @both-back-ends
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { Knex } from 'knex'
import { testRedisUrl } from '../../support/cluster.ts'
import { createTenant, dataOf, startPlatform, type Platform } from '../../support/platform.ts'
import { installAndEnable } from '../../support/small-plugin.ts'
import { until } from '../../support/until.ts'
import { clusterSecrets } from './cluster-world.ts'
import { fillLedger, spoilLedger } from './rollbacks-rows.ts'
import { dump, packLedger, upgrade } from './rollbacks-world.ts'

const plugin = '/admin/plugins/acme.ledger'

describe('a rollback whose host died', () => {
  let platform: Platform
  before(async () => void (platform = await startPlatform({ env: clusterSecrets })))
  after(() => platform[Symbol.asyncDispose]())

  /** What a host leaves that was killed after these steps of a rollback. */
  async function leave(db: Knex, steps: Readonly<Record<string, unknown>>, committed: boolean): Promise<string> {
    const id = randomUUID()
    const records = Object.entries(steps).map(([step, result]) => ({ step, at: '', result }))
    const row = { id, plugin: 'acme.ledger', kind: 'rollback', committed, fencing: 0 }
    await db('plugin_operations').insert({ ...row, steps: JSON.stringify(records) })
    return id
  }

  it('is finished when it was committed, and over when it was not', async () => {
    await installAndEnable(platform.admin, await packLedger({ version: '1.0.0' }))
    await upgrade(platform, await packLedger({ version: '1.1.0' }))
    const { knex } = platform.host.kernel.database
    const before = await knex('plugins').first<{ active_release: number; previous_release: number }>()
    const aborted = await leave(knex, { load: null }, false)
    const ended = async (id: string, state: string) =>
      (await knex('plugin_operations').where({ id, state })).length === 1
    await until(() => ended(aborted, 'aborted'))
    assert.equal(dataOf(await platform.admin.get(plugin))['version'], '1.1.0')
    // The commit, whole as it is written, and nothing after it: hosts read what is wanted at any moment.
    const id = await knex.transaction(async (trx) => {
      const next = trx('plugin_desired_state').update({ generation: trx.raw('generation + 1') }, ['generation'])
      const [{ generation } = { generation: '' }] = (await next) as { generation: string }[]
      const { active_release, previous_release } = before
      const turned = { active_release: previous_release, previous_release: active_release, generation }
      await trx('plugins').update({ ...turned, epoch: trx.raw('epoch + 1') })
      const facts = { generation: Number(generation), from: '1.1.0', version: '1.0.0', automatic: false, data: 'keep' }
      return leave(trx, { load: null, commit: facts }, true)
    })
    await until(() => ended(id, 'succeeded'))
    assert.equal(dataOf(await platform.admin.get(`${plugin}/api/version`))['version'], '1.0.0')
    dataOf(await platform.admin.delete(`${plugin}?purge=true`))
  })
})

if (testRedisUrl()) {
  describe('backups and rollbacks on two hosts', () => {
    let one: Platform
    let two: Platform
    before(async () => {
      one = await startPlatform({ env: clusterSecrets })
      const { databaseUrl, namespace } = one.host
      two = await startPlatform({ env: clusterSecrets, databaseUrl, namespace })
    })
    after(async () => {
      await two[Symbol.asyncDispose]()
      await one[Symbol.asyncDispose]()
    })

    it('are restored on one host from what the other wrote, and run on both', async () => {
      await installAndEnable(one.admin, await packLedger({ version: '1.0.0' }))
      const { id } = await createTenant(one.admin, 'one')
      await fillLedger(one, id, 10)
      // Rows of a tenant that nobody knows any more stay away.
      const before = { ...(await dump(one)), sequences: [] }
      await fillLedger(one, 4_711, 1)
      const { name } = dataOf(await one.admin.post(`${plugin}/backups`), 201)
      await upgrade(one, await packLedger({ version: '2.0.0', schema: 'one-way' }))
      await spoilLedger(one, id)
      const asked = { data: 'restore', confirm: true, backup: name }
      dataOf(await two.admin.post(`${plugin}/rollback`, asked))
      assert.deepEqual({ ...(await dump(one)), sequences: [] }, before)
      for (const { admin } of [one, two]) {
        assert.equal(dataOf(await admin.get(`${plugin}/api/version`))['version'], '1.0.0')
      }
    })

    it('have what was chosen although the uninstall ends on another host, and are deleted there', async () => {
      dataOf(await one.admin.patch('/preferences', { 'plugin.acme.ledger.tone': 'warm' }))
      dataOf(await one.admin.delete(plugin))
      const { items } = dataOf(await two.admin.get(`${plugin}/backups?kind=uninstall`)) as unknown as {
        items: { name: string }[]
      }
      const [final] = items
      const archive = await two.admin.get(`${plugin}/backups/${final?.name}/download`)
      assert.match(archive.body as unknown as string, /"warm"/)
      dataOf(await two.admin.delete(`${plugin}/backups/${final?.name}`))
    })
  })
}
