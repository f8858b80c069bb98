import assert from 'node:assert/strict'
import type { Api, Body } from '../../support/api.ts'
import { createTenant, createUser, dataOf, refusalOf, startPlatform, type Platform } from '../../support/platform.ts'
import { installAndEnable } from '../../support/small-plugin.ts'
import { fillLedger, spoilLedger } from './rollbacks-rows.ts'
import { dump, packLedger, upgrade, type Variant } from './rollbacks-world.ts'

const plugin = '/admin/plugins/acme.ledger'
const mine = '/tenant/plugins/acme.ledger'

describe('the way back to an earlier release', () => {
  let platform: Platform
  let admin: Api
  const tenants: { owner: Api; id: number }[] = []

  before(async () => {
    platform = await startPlatform()
    admin = platform.admin
    for (const code of ['one', 'two']) tenants.push(await createTenant(admin, code))
  })
  after(() => platform[Symbol.asyncDispose]())

  /** The first release with rows of two tenants, and a second one in its place. */
  async function upgraded(second: Variant, rows = 20): Promise<object> {
    await installAndEnable(admin, await packLedger({ version: '1.0.0' }))
    dataOf(await admin.post(`${plugin}/tenants`, { tenant_ids: tenants.map(({ id }) => id) }))
    for (const { id, owner } of tenants) {
      dataOf(await owner.post(`${mine}/enable`))
      await fillLedger(platform, id, rows)
    }
    const before = await dump(platform)
    await upgrade(platform, await packLedger(second))
    assert.equal(dataOf(await admin.get(`${plugin}/api/version`))['version'], second.version)
    return before
  }
  afterEach(async () => void (await admin.delete(`${plugin}?purge=true`)))

  const rollBack = (body: object = {}) => admin.post(`${plugin}/rollback`, body)
  const runs = async () => dataOf(await admin.get(`${plugin}/api/version`))['version'] as unknown

  it('keeps the rows where the tables are the same, and leads forth again the same way', async () => {
    const before = await upgraded({ version: '1.1.0' })
    const answer = dataOf(await rollBack())
    assert.deepEqual([answer['version'], answer['status'], await runs()], ['1.0.0', 'enabled', '1.0.0'])
    assert.deepEqual(await dump(platform), before)
    assert.equal(dataOf(await rollBack())['version'], '1.1.0')
    assert.equal(await runs(), '1.1.0')
  })

  it('takes migrations back where each has a way back, and backs up what goes', async () => {
    const before = await upgraded({ version: '2.0.0', schema: 'second' })
    const answer = dataOf(await rollBack())
    assert.deepEqual([answer['version'], await runs()], ['1.0.0', '1.0.0'])
    assert.deepEqual(await dump(platform), before)
    const [backup] = dataOf(await admin.get(`${plugin}/backups`))['items'] as unknown as Body[]
    assert.deepEqual([backup?.['kind'], backup?.['version']], ['rollback', '2.0.0'])
    assert.equal(dataOf(await rollBack())['version'], '2.0.0')
  })

  it('restores a backup only when it is told so, and says before how many rows go', async () => {
    await installAndEnable(admin, await packLedger({ version: '1.0.0' }))
    dataOf(await admin.post(`${plugin}/tenants`, { tenant_ids: tenants.map(({ id }) => id) }))
    for (const { id } of tenants) await fillLedger(platform, id, 2_500)
    const [{ owner, id }] = tenants as [{ owner: Api; id: number }]
    dataOf(await owner.post(`${mine}/enable`))
    dataOf(await owner.put(`${mine}/api/files/a`, { text: 'first' }))
    dataOf(await owner.put(`${mine}/api/files/gone`, { text: 'soon' }))
    const tone = 'plugin.acme.ledger.tone'
    const other = tenants[1]?.id
    dataOf(await owner.put(`${mine}/config`, { api_key: 'kept' }))
    dataOf(await owner.patch('/preferences', { [tone]: 'warm' }))
    const before = await dump(platform)
    await upgrade(platform, await packLedger({ version: '2.0.0', schema: 'one-way' }))
    const [backup] = dataOf(await admin.get(`${plugin}/backups?kind=upgrade`))['items'] as unknown as Body[]
    const name = backup?.['name']
    await spoilLedger(platform, id)
    dataOf(await owner.put(`${mine}/api/files/a`, { text: 'second' }))
    dataOf(await owner.put(`${mine}/api/files/b`, { text: 'new' }))
    dataOf(await owner.put(`${mine}/config`, { api_key: null }))
    dataOf(await owner.delete(`/preferences/${tone}`))
    dataOf(await admin.delete(`${plugin}/tenants/${other}`))
    const spoilt = await dump(platform)

    const refused = await rollBack()
    assert.deepEqual(refusalOf(refused), { status: 409, code: 4094, reason: 'plugin_rollback_loses_rows' })
    const tables = { children: 2, extras: 0, parents: 0 }
    assert.deepEqual(refused.body['details'], { data: 'restore', backup: name, rows_lost: 2, tables })
    assert.equal(refusalOf(await rollBack({ data: 'restore' })).reason, 'plugin_rollback_loses_rows')
    assert.equal(refusalOf(await rollBack({ data: 'keep' })).reason, 'plugin_rollback_schema_differs')
    assert.equal(refusalOf(await rollBack({ data: 'down' })).reason, 'plugin_rollback_one_way')
    assert.deepEqual(await dump(platform), spoilt)
    assert.equal(await runs(), '2.0.0')

    dataOf(await rollBack({ data: 'restore', confirm: true }))
    assert.equal(await runs(), '1.0.0')
    assert.deepEqual(await dump(platform), before)
    const read = async (key: string) => dataOf(await owner.get(`${mine}/api/files/${key}`))['base64'] as unknown
    assert.deepEqual([await read('a'), await read('gone'), await read('b')], [btoa('first'), btoa('soon'), null])
    // What tenants and users had chosen too.
    const config = dataOf(await owner.get('/configs/groups/plugin.acme.ledger'))
    assert.equal((config['items'] as unknown as Body[])[0]?.['is_set'], true)
    const chosen = dataOf(await owner.get(`/preferences?keys=${tone}`))['items'] as unknown as Body[]
    assert.equal(chosen[0]?.['value'], 'warm')
    const assigned = dataOf(await admin.get(plugin))['tenants'] as unknown as Body[]
    assert.deepEqual(
      assigned.map(({ tenant_id }) => tenant_id),
      tenants.map(({ id }) => id),
    )
  })

  it('from a damaged backup changes nothing', async () => {
    await upgraded({ version: '1.1.0' })
    dataOf(await rollBack())
    const { name } = dataOf(await admin.post(`${plugin}/backups`), 201)
    const before = await dump(platform)
    const { knex } = platform.host.kernel.database
    await knex('plugin_backup_chunks')
      .where({ file: 'tables/children.ndjson', position: 0 })
      .update({ bytes: knex.raw(`set_byte(bytes, length(bytes) / 2, 255 - get_byte(bytes, length(bytes) / 2))`) })
    const request = { data: 'restore', confirm: true, backup: name }
    assert.deepEqual(refusalOf(await rollBack(request)), { status: 500, code: 5003, reason: 'plugin_backup_damaged' })
    assert.deepEqual([await dump(platform), await runs()], [before, '1.0.0'])
  })

  it('is refused without an earlier release, to one that is not kept, and to the one in use', async () => {
    await installAndEnable(admin, await packLedger({ version: '1.0.0' }))
    assert.deepEqual(refusalOf(await rollBack()), { status: 409, code: 4094, reason: 'plugin_no_previous_release' })
    assert.equal(refusalOf(await rollBack({ version: '0.9.0' })).code, 4040)
    assert.equal(refusalOf(await rollBack({ version: '1.0.0' })).reason, 'plugin_release_active')
    assert.equal(refusalOf(await rollBack({ backup: 'none' })).reason, 'plugin_backup_not_found')
    assert.equal(refusalOf(await rollBack({ version: '1.0.0', data: 'restore' })).reason, 'plugin_rollback_no_backup')
    assert.equal(refusalOf(await admin.post('/plugins/acme.nobody/rollback', {})).code, 4046)
  })

  it('is for administrators who may roll back', async () => {
    const [{ owner }] = tenants as [{ owner: Api; id: number }]
    assert.equal(refusalOf(await owner.post(`${plugin}/rollback`, {})).code, 4033)
    const user = await createUser(owner, 'one', ['tenant_user:list'])
    assert.equal(refusalOf(await user.get(`${plugin}/backups`)).code, 4033)
  })

  it('leaves what an administrator took back where it is, and what the newer release was set to', async () => {
    await upgraded({ version: '1.1.0' })
    const [{ owner }] = tenants as [{ owner: Api; id: number }]
    dataOf(await owner.put(`${mine}/config`, { api_key: 'sealed and kept' }))
    dataOf(await admin.put(`${plugin}/capabilities`, { granted: ['db:own_tables', 'config'] }))
    dataOf(await rollBack())
    assert.equal(refusalOf(await owner.put(`${mine}/api/files/a`, { text: 'no' })).code, 4039)
    assert.deepEqual(dataOf(await admin.get(plugin))['withheld'], ['storage'])
    const config = dataOf(await owner.get('/configs/groups/plugin.acme.ledger'))
    assert.equal((config['items'] as unknown as Body[])[0]?.['is_set'], true)
  })
})
