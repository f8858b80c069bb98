import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import type { Revocation, RevocationsFile } from '#marketplace'
import { revokedLicences } from '../../../core-plugins/plugin-index/judging/revoked-licences.ts'
import { toStableJson } from '../../../marketplace/keeper/stable-json.ts'
import type { Api, Body } from '../../support/api.ts'
import { dataOf, refusalOf, startPlatform, type Platform } from '../../support/platform.ts'
import { upload } from '../../support/small-plugin.ts'
import { until } from '../../support/until.ts'
import { TestIndex } from './world.ts'

const name = 'acme.risky'

describe('revocations of an index source', () => {
  let platform: Platform
  let admin: Api
  let index: TestIndex

  before(async () => {
    index = await TestIndex.create()
    await index.publish(name, { manifest: { version: '1.0.0' } })
    await index.publish(name, { manifest: { version: '1.1.0' } })
    await index.build()
    platform = await startPlatform()
    admin = platform.admin
    const url = pathToFileURL(index.directory).href
    dataOf(await admin.post('/plugins/sources', { id: 'main', name: 'Main', url }), 201)
    dataOf(await admin.post('/plugins/sources/main/refresh'))
  })
  after(async () => {
    await platform[Symbol.asyncDispose]()
    await index[Symbol.asyncDispose]()
  })

  const revoke = async (more: Partial<RevocationsFile>) => {
    await index.write('revocations.json', toStableJson({ format: 1, plugins: [], keys: [], licenses: [], ...more }))
    await index.build()
    dataOf(await admin.post('/plugins/sources/main/refresh'))
  }
  const about = (action: Revocation['action'], versions = '<1.1.0'): Revocation => ({
    ...{ plugin: name, versions, severity: 'critical', action },
    ...{ reason: 'It leaks addresses', cve: 'CVE-2026-0001' },
  })
  const detail = async () => dataOf(await admin.get(`/plugins/${name}`))
  const run = async () => {
    dataOf(await admin.post('/plugins/install', { name, version: '1.0.0' }), 201)
    dataOf(await admin.post(`/plugins/${name}/enable`))
  }
  afterEach(async () => {
    await revoke({})
    await admin.delete(`/plugins/${name}?purge=true`)
  })

  it('that warn are shown where the plugin is, and change nothing else', async () => {
    await run()
    await revoke({ plugins: [about('warn')] })
    await until(async () => (await detail())['revoked'] !== null)
    const { status, revoked } = await detail()
    assert.deepEqual([status, revoked?.['action'], revoked?.['cve']], ['enabled', 'warn', 'CVE-2026-0001'])
    const [update] = dataOf(await admin.get('/plugins/updates'))['items'] as unknown as Body[]
    assert.deepEqual([update?.['latest_compatible'], update?.['security']], ['1.1.0', true])
    await revoke({})
    await until(async () => (await detail())['revoked'] === null)
  })

  it('that block installs are never installed, from the source or by hand', async () => {
    const zip = await readFile(await index.pack(name, { manifest: { version: '1.0.0' } }))
    await revoke({ plugins: [about('block_install')] })
    const named = await admin.post('/plugins/install', { name, version: '1.0.0' })
    assert.deepEqual(refusalOf(named), { status: 400, code: 4009, reason: 'plugin_release_revoked' })
    assert.deepEqual(named.body['details'], { action: 'block_install', severity: 'critical', cve: 'CVE-2026-0001' })
    const sent = await upload(admin, zip)
    assert.deepEqual(refusalOf(sent), { status: 400, code: 4009, reason: 'plugin_release_revoked' })
    assert.equal(dataOf(await admin.post('/plugins/install', { name }), 201)['version'], '1.1.0')
  })

  it('that disable switch the plugin off, tell administrators, and hold it off until one of them says otherwise', async () => {
    await run()
    await revoke({ plugins: [about('disable')] })
    await until(async () => (await detail())['status'] === ('installed' as unknown))
    assert.equal((await detail())['reason'], 'It leaks addresses')
    const told = async () => (dataOf(await admin.get('/notifications'))['items'] as unknown as Body[]) ?? []
    await until(async () => (await told()).some((item) => item['title'] === (`${name} 1.0.0 was revoked` as unknown)))
    const operation = async () =>
      (dataOf(await admin.get(`/plugins/${name}/operations`))['items'] as unknown as Body[])[0]
    // Until it has ended, the plugin is being worked on, and may still answer.
    await until(async () => (await operation())?.['state'] === ('succeeded' as unknown))
    assert.deepEqual([(await operation())?.['kind'], (await operation())?.['actor']], ['disable', null])
    const gone = { status: 404, code: 4044, reason: 'plugin_is_revoked' }
    assert.deepEqual(refusalOf(await admin.get(`/admin/plugins/${name}/api/any`)), gone)
    assert.equal((await platform.host.api.get(`/admin/plugins/${name}/api/any`)).status, 401)
    const refused = await admin.post(`/plugins/${name}/enable`)
    assert.deepEqual(refusalOf(refused), { status: 409, code: 4094, reason: 'plugin_revoked' })
    dataOf(await admin.post(`/plugins/${name}/enable`, { override_revocation: true }))
    assert.equal((await detail())['status'], 'enabled')
    dataOf(await admin.post('/plugins/sources/main/refresh'))
    const log = dataOf(await admin.get('/admin/audit-logs?limit=50'))['items'] as unknown as Body[]
    const actions: readonly unknown[] = log.map((entry) => entry['action'])
    for (const action of ['plugin.revoked', 'plugin.disabled', 'plugin.revocation_overridden']) {
      assert.ok(actions.includes(action), action)
    }
    assert.equal((await detail())['status'], 'enabled')
  })

  it('of a key flag what it signed, and nothing more is installed with it', async () => {
    await run()
    await revoke({ keys: [{ kid: index.publisher.kid, reason: 'It was stolen' }] })
    await until(async () => (await detail())['revoked'] !== null)
    assert.deepEqual([(await detail())['status'], (await detail())['revoked']?.['kid']], ['enabled', 'acme-1'])
    dataOf(await admin.delete(`/plugins/${name}?purge=true`))
    const again = await admin.post('/plugins/install', { name, version: '1.0.0' })
    assert.deepEqual(refusalOf(again), { status: 400, code: 4009, reason: 'publisher_key_revoked' })
    const zip = await readFile(await index.pack(name))
    assert.equal((await upload(admin, zip)).body['reason'], 'publisher_key_revoked')
  })

  it('of licences are there for whoever checks them', async () => {
    await revoke({ licenses: ['token-1'] })
    const revoked = [{ jti: 'token-1', source: 'main' }]
    assert.deepEqual([...(await revokedLicences(platform.host.kernel.database.knex))], revoked)
  })
})
