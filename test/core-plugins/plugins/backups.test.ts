// @any-back-end
import assert from 'node:assert/strict'
import type { Api, Body } from '../../support/api.ts'
import { createTenant, createUser, dataOf, refusalOf, startPlatform, type Platform } from '../../support/platform.ts'
import { installAndEnable } from '../../support/small-plugin.ts'
import { clusterSecrets } from './cluster-world.ts'
import { fillLedger } from './rollbacks-rows.ts'
import { packLedger } from './rollbacks-world.ts'
import { untar } from '../backup/untar.ts'
import { discardsIn } from '../../support/storage.ts'

const plugin = '/admin/plugins/acme.ledger'
const mine = '/tenant/plugins/acme.ledger'
const secret = 'a secret nobody should read'

describe('backups of a plugin', () => {
  let platform: Platform
  let admin: Api
  let owner: Api
  let tenantId: number

  before(async () => {
    platform = await startPlatform({ env: clusterSecrets })
    admin = platform.admin
    ;({ owner, id: tenantId } = await createTenant(admin, 'one'))
    await installAndEnable(admin, await packLedger({ version: '1.0.0' }))
    dataOf(await admin.post(`${plugin}/tenants`, { tenant_ids: [tenantId] }))
    dataOf(await owner.post(`${mine}/enable`))
    dataOf(await owner.put(`${mine}/config`, { api_key: secret }))
    dataOf(await owner.patch('/preferences', { 'plugin.acme.ledger.tone': 'warm' }))
    dataOf(await owner.put(`${mine}/api/files/a`, { text: 'kept' }))
    await fillLedger(platform, tenantId, 3)
  })
  after(() => platform[Symbol.asyncDispose]())

  const list = async (query = '') => dataOf(await admin.get(`${plugin}/backups${query}`))
  const download = async (name: Body | string = '') => {
    const answer = await admin.get(`${plugin}/backups/${name as string}/download`)
    assert.equal(answer.status, 200)
    return untar(Buffer.from(answer.body as unknown as string))
  }

  it('have the rows, objects, settings and preferences of the moment, and secrets stay sealed', async () => {
    const made = dataOf(await admin.post(`${plugin}/backups`), 201)
    assert.deepEqual(
      [made['kind'], made['version'], made['rows'], made['tables'], made['objects'], made['object_bytes']],
      ['manual', '1.0.0', 10, { children: 9, parents: 1 }, 1, 4],
    )
    dataOf(await owner.put(`${mine}/api/files/a`, { text: 'changed later' }))
    const files = await download(made['name'])
    assert.equal(files.get('tables/children.ndjson')?.trimEnd().split('\n').length, 9)
    assert.match(files.get('tables/children.ndjson') ?? '', /"big": 9223372036854775807/)
    const [object] = JSON.parse(files.get('objects.json') ?? '') as { file: string; key: string; tenant_id: number }[]
    assert.deepEqual([object?.key, object?.tenant_id, files.get(object?.file ?? '')], ['a', tenantId, 'kept'])
    const settings = JSON.parse(files.get('settings.json') ?? '') as { tenantId: number; value: string }[]
    assert.deepEqual(
      settings.map((value) => value.tenantId),
      [tenantId],
    )
    const preferences = JSON.parse(files.get('preferences.json') ?? '') as { key: string; value: unknown }[]
    assert.deepEqual(
      preferences.map(({ key, value }) => [key, value]),
      [['plugin.acme.ledger.tone', 'warm']],
    )
    assert.match(files.get('assignments.json') ?? '', /"enabledByTenant": true/)
    assert.doesNotMatch([...files.values()].join(''), new RegExp(secret))
  })

  it('are listed in pages and deleted one by one', async () => {
    const before = Number((await list())['total'])
    const { name } = dataOf(await admin.post(`${plugin}/backups`), 201) as unknown as { name: string }
    const page = await list('?page_size=1&kind=manual')
    assert.deepEqual([page['total'], (page['items'] as unknown as Body[])[0]?.['name']], [before + 1, name])
    assert.equal(Number((await list('?kind=upgrade'))['total']), 0)
    dataOf(await admin.delete(`/plugins/acme.ledger/backups/${name}`))
    assert.equal(Number((await list())['total']), before)
    const again = await admin.delete(`${plugin}/backups/${name}`)
    assert.deepEqual(refusalOf(again), { status: 404, code: 4040, reason: 'plugin_backup_not_found' })
    assert.equal(refusalOf(await admin.get(`${plugin}/backups/${name}/download`)).code, 4040)
  })

  it('are not there before they are complete, nor once their time is over', async () => {
    const before = Number((await list())['total'])
    const { name } = dataOf(await admin.post(`${plugin}/backups`), 201) as unknown as { name: string }
    const row = () => platform.host.kernel.database.knex('plugin_backups').where({ name })
    const [{ completed_at } = { completed_at: null }] =
      await row().select<{ completed_at: Date | null }[]>('completed_at')
    for (const change of [{ expires_at: new Date(Date.now() - 1_000) }, { expires_at: null, completed_at: null }]) {
      await row().update(change)
      assert.equal(Number((await list())['total']), before)
      assert.equal(refusalOf(await admin.get(`${plugin}/backups/${name}/download`)).code, 4040)
    }
    await row().update({ completed_at })
    dataOf(await admin.delete(`${plugin}/backups/${name}`))
  })

  it('are found under their names alone', async () => {
    for (const name of ['..', '%2e%2e%2fplugins', 'a%2fb', 'a..b', '.hidden', 'a%00b']) {
      const { status } = await admin.delete(`${plugin}/backups/${name}`)
      assert.ok(status === 422 || status === 404, `${name} was answered ${status}`)
    }
    assert.equal(refusalOf(await admin.get('/plugins/acme.nobody/backups')).code, 4046)
    assert.equal(refusalOf(await admin.post('/plugins/acme.nobody/backups')).code, 4046)
  })

  it('are for administrators who may manage them', async () => {
    const user = await createUser(owner, 'one', ['tenant_user:list'])
    for (const api of [owner, user]) assert.equal(refusalOf(await api.get(`${plugin}/backups`)).code, 4033)
    assert.equal(refusalOf(await platform.host.api.get(`${plugin}/backups`)).code, 4010)
  })

  it('wait while something else is done to the plugin', async () => {
    const [first, second] = await Promise.all([admin.post(`${plugin}/backups`), admin.post(`${plugin}/backups`)])
    assert.deepEqual([first.status, second.status].sort(), [201, 409])
    assert.equal(refusalOf(first.status === 409 ? first : second).code, 4092)
  })

  it('outlive an uninstall as one final backup for 30 days, which is readable and can be deleted', async () => {
    dataOf(await admin.delete(plugin))
    const page = dataOf(await admin.get('/plugins/acme.ledger/backups?kind=uninstall'))
    const [final] = page['items'] as unknown as Body[]
    assert.deepEqual([page['total'], final?.['rows'], final?.['objects']], [1, 10, 1])
    const days = (Date.parse(final?.['expires_at'] as unknown as string) - Date.now()) / 86_400_000
    assert.ok(days > 29.9 && days <= 30)
    const files = await download(final?.['name'])
    assert.match(files.get('preferences.json') ?? '', /"warm"/)
    assert.equal((JSON.parse(files.get('settings.json') ?? '') as object[]).length, 1)
    const [object] = JSON.parse(files.get('objects.json') ?? '') as { file: string }[]
    assert.equal(files.get(object?.file ?? ''), 'changed later')
    const { items } = dataOf(await admin.get('/plugins/acme.ledger/backups')) as unknown as {
      items: { name: string }[]
    }
    for (const { name } of items) dataOf(await admin.delete(`/plugins/acme.ledger/backups/${name}`))
    assert.equal(refusalOf(await admin.get('/plugins/acme.ledger/backups')).code, 4046)
    const { knex } = platform.host.kernel.database
    for (const table of ['plugin_backups', 'plugin_backup_chunks', 'storage_snapshots']) {
      const { rows } = await knex.raw<{ rows: object[] }>('select 1 from ??', [table]).queryContext({ tenant: 'all' })
      assert.deepEqual(rows, [], table)
    }
    assert.deepEqual(await discardsIn(knex), [])
  })
})
