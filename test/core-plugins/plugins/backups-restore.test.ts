// @any-back-end
import assert from 'node:assert/strict'
import type { Api, Body } from '../../support/api.ts'
import { createTenant, dataOf, refusalOf, startPlatform, type Platform } from '../../support/platform.ts'
import { installAndEnable } from '../../support/small-plugin.ts'
import { clusterSecrets } from './cluster-world.ts'
import { fillLedger, spoilLedger } from './rollbacks-rows.ts'
import { packLedger } from './rollbacks-world.ts'

const plugin = '/admin/plugins/acme.ledger'
const mine = '/tenant/plugins/acme.ledger'

describe('a backup made by hand', () => {
  let platform: Platform
  let admin: Api
  let owner: Api
  let tenantId: number
  let backup: string

  before(async () => {
    platform = await startPlatform({ env: clusterSecrets })
    admin = platform.admin
    ;({ owner, id: tenantId } = await createTenant(admin, 'one'))
    await installAndEnable(admin, await packLedger({ version: '1.0.0' }))
    dataOf(await admin.post(`${plugin}/tenants`, { tenant_ids: [tenantId] }))
    dataOf(await owner.post(`${mine}/enable`))
    dataOf(await owner.put(`${mine}/api/files/a`, { text: 'kept' }))
    await fillLedger(platform, tenantId, 3)
    backup = dataOf(await admin.post(`${plugin}/backups`), 201)['name'] as unknown as string
  })
  after(() => platform[Symbol.asyncDispose]())

  const restore = (body: object = {}, name = backup) => admin.post(`${plugin}/backups/${name}/restore`, body)

  const file = async () => {
    const { base64 } = dataOf(await owner.get(`${mine}/api/files/a`)) as unknown as { base64: string }
    return Buffer.from(base64, 'base64').toString()
  }

  it('is restored where rows may go, and what was there is backed up', async () => {
    await spoilLedger(platform, tenantId)
    dataOf(await owner.put(`${mine}/api/files/a`, { text: 'changed' }))
    const asked = await restore()
    assert.deepEqual(refusalOf(asked), { status: 409, code: 4094, reason: 'plugin_rollback_loses_rows' })
    assert.equal((asked.body['details'] as Body)['backup'], backup)
    assert.equal(await file(), 'changed')
    const after = dataOf(await restore({ confirm: true }))
    assert.deepEqual([after['version'], after['status']], ['1.0.0', 'enabled'])
    assert.equal(await file(), 'kept')
    const { items } = dataOf(await admin.get(`${plugin}/backups?kind=rollback`)) as unknown as { items: Body[] }
    assert.equal(items.length, 1)
  })

  it('is named where it is missing, and so is a plugin that is not installed', async () => {
    const nowhere = await restore({}, 'never-made')
    assert.deepEqual(refusalOf(nowhere), { status: 404, code: 4040, reason: 'plugin_backup_not_found' })
    assert.match(nowhere.body['message'] as unknown as string, /never-made/)
    assert.match((await admin.post(`${plugin}/rollback`, {})).body['message'] as unknown as string, /restore/)
    dataOf(await admin.delete(plugin))
    const gone = await restore()
    assert.deepEqual(refusalOf(gone), { status: 409, code: 4094, reason: 'plugin_backup_without_plugin' })
    assert.deepEqual(gone.body['details'], { plugin: 'acme.ledger', version: '1.0.0' })
    await installAndEnable(admin, await packLedger({ version: '1.0.0' }))
    dataOf(await restore({ confirm: true }))
    dataOf(await admin.post(`${plugin}/tenants`, { tenant_ids: [tenantId] }))
    dataOf(await owner.post(`${mine}/enable`))
    assert.equal(await file(), 'kept')
  })
})
