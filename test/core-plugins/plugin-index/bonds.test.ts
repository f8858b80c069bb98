import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import { createSigningKey, type Revocation } from '#marketplace'
import { toStableJson } from '../../../marketplace/keeper/stable-json.ts'
import type { Api, Body } from '../../support/api.ts'
import { dataOf, refusalOf, startPlatform, type Platform } from '../../support/platform.ts'
import { packSmall, upload } from '../../support/small-plugin.ts'
import { until } from '../../support/until.ts'
import { upgrade } from '../plugins/upgrades-world.ts'
import { TestIndex } from './world.ts'

/** What a publisher, and whoever copies its keys, may say of a plugin. */
describe('a bond between an index source and a plugin', () => {
  let platform: Platform
  let admin: Api
  let main: TestIndex
  /** Lists the very key that main lists, as anybody can. */
  let copy: TestIndex
  /** Lists another key under the same publisher. */
  let other: TestIndex

  before(async () => {
    main = await TestIndex.create()
    copy = await TestIndex.create('verified', main.publisher)
    other = await TestIndex.create('verified', createSigningKey('acme-2'))
    for (const index of [main, other]) await index.publish('acme.shared')
    await main.publish('acme.alone')
    await main.publish('acme.quiet', { manifest: { version: '1.1.0' } })
    await other.publish('acme.foreign')
    for (const index of [main, copy, other]) await index.build()
  })
  after(async () => {
    for (const index of [main, copy, other]) await index[Symbol.asyncDispose]()
  })
  beforeEach(async () => {
    platform = await startPlatform()
    admin = platform.admin
  })
  afterEach(async () => {
    for (const index of [main, copy]) await revoke(index, [])
    await platform[Symbol.asyncDispose]()
  })

  const add = async (id: string, { directory }: TestIndex, more: object = {}) => {
    const url = pathToFileURL(directory).href
    dataOf(await admin.post('/plugins/sources', { id, name: id, url, ...more }), 201)
    await refresh(id)
  }
  const refresh = async (id: string) => void dataOf(await admin.post(`/plugins/sources/${id}/refresh`))
  const revoke = async (index: TestIndex, plugins: readonly Revocation[]) => {
    await index.write('revocations.json', toStableJson({ format: 1, plugins, keys: [], licenses: [] }))
    await index.build()
  }
  const against = (plugin: string, action: Revocation['action'] = 'disable'): Revocation => ({
    ...{ plugin, versions: '*', severity: 'critical', action, reason: 'It is not ours' },
  })
  const detail = async (name: string) => dataOf(await admin.get(`/plugins/${name}`))
  const verdict = async (name: string) => {
    const { status, revoked } = await detail(name)
    return { status, source: revoked?.['source'], action: revoked?.['action'], asked: revoked?.['asked'] } as object
  }
  const run = async (name: string) => {
    dataOf(await admin.post('/plugins/install', { name }), 201)
    dataOf(await admin.post(`/plugins/${name}/enable`))
  }
  const isJudged = (name: string) => until(async () => (await detail(name))['revoked'] !== null)
  const trust = ({ kid, publicKey }: TestIndex['publisher']) =>
    admin.post('/plugins/publishers', { publisher: 'acme', kid, public_key: publicKey, level: 'verified' })

  it('is missing for an upload: a source warns of it, in the detail, the log and a notification, and switches nothing off', async () => {
    dataOf(await trust(other.publisher), 201)
    dataOf(await upload(admin, await readFile(await other.pack('acme.mine'))), 201)
    dataOf(await admin.post('/plugins/acme.mine/enable'))
    await revoke(main, [against('acme.mine')])
    await add('main', main)
    await isJudged('acme.mine')
    const warned = { status: 'enabled', source: 'main', action: 'warn', asked: 'disable' }
    assert.deepEqual(await verdict('acme.mine'), warned)
    const log = dataOf(await admin.get('/admin/audit-logs?limit=50'))['items'] as unknown as Body[]
    assert.ok(log.some((entry) => entry['action'] === ('plugin.revoked' as unknown)))
    const told = async () => dataOf(await admin.get('/notifications'))['items'] as unknown as Body[]
    await until(async () => (await told()).some(({ title }) => title === ('acme.mine 1.0.0 was revoked' as unknown)))
    dataOf(await admin.post('/plugins/acme.mine/disable'))
    dataOf(await admin.post('/plugins/acme.mine/enable'))
    dataOf(await admin.delete('/plugins/acme.mine?purge=true'))
    dataOf(await upload(admin, await readFile(await other.pack('acme.mine'))), 201)
  })

  it('does not come from copying a public key, and does from an administrator', async () => {
    await add('main', main)
    await run('acme.alone')
    await revoke(copy, [against('acme.alone')])
    await add('copy', copy)
    await isJudged('acme.alone')
    assert.deepEqual(await verdict('acme.alone'), {
      ...{ status: 'enabled', source: 'copy', action: 'warn', asked: 'disable' },
    })
    const changed = dataOf(await admin.put('/plugins/sources/copy', { judges: ['acme.*'] }))
    assert.deepEqual(changed['judges'], ['acme.*'])
    await refresh('copy')
    await until(async () => (await detail('acme.alone'))['status'] === ('installed' as unknown))
    assert.deepEqual(await verdict('acme.alone'), {
      ...{ status: 'installed', source: 'copy', action: 'disable', asked: null },
    })
  })

  it('passes to those that list the very key when the source of a plugin is removed', async () => {
    await add('main', main)
    await run('acme.alone')
    dataOf(await admin.delete('/plugins/sources/main'))
    await revoke(copy, [against('acme.alone')])
    await add('copy', copy)
    await until(async () => (await detail('acme.alone'))['status'] === ('installed' as unknown))
  })

  it('outlives the source: its last word stays, and a lighter one of another does not take its place', async () => {
    await add('main', main)
    await run('acme.alone')
    await revoke(main, [against('acme.alone', 'block_install')])
    await refresh('main')
    await isJudged('acme.alone')
    dataOf(await admin.delete('/plugins/sources/main'))
    await revoke(copy, [against('acme.alone', 'warn')])
    await add('copy', copy)
    await refresh('copy')
    assert.deepEqual(await verdict('acme.alone'), {
      ...{ status: 'enabled', source: 'main', action: 'block_install', asked: null },
    })
  })

  it('is to one key: a publisher that was believed has no other until an administrator adds it', async () => {
    await add('main', main)
    await run('acme.alone')
    await add('other', other)
    const known = dataOf(await admin.get('/plugins/publishers'))['items'] as unknown as Body[]
    assert.deepEqual(
      known.map(({ publisher, kid, believed, source }) => ({ publisher, kid, believed, source })),
      [{ publisher: 'acme', kid: 'acme-1', believed: true, source: 'main' }],
    )
    const refused = { status: 400, code: 4009, reason: 'publisher_key_unknown' }
    assert.deepEqual(refusalOf(await admin.post('/plugins/install', { name: 'acme.foreign' })), refused)
    dataOf(await trust(other.publisher), 201)
    dataOf(await admin.post('/plugins/install', { name: 'acme.foreign' }), 201)
  })

  it('is not made by a dry run of an upgrade, only by the upgrade', async () => {
    dataOf(await upload(admin, await packSmall('acme.quiet')), 201)
    await add('main', main)
    const known = async () => (dataOf(await admin.get('/plugins/publishers'))['items'] as unknown as Body[]).length
    const zip = await readFile(await main.pack('acme.quiet', { manifest: { version: '1.1.0' } }))
    const offered = { version: '1.1.0', source: 'main' }
    const place = '/plugins/acme.quiet/upgrade'
    for (const plan of [
      await upgrade(admin, 'acme.quiet', zip, '?dry_run=true'),
      await admin.post(`${place}?dry_run=true`, offered),
    ])
      assert.equal(dataOf(plan)['to'], '1.1.0')
    assert.equal(await known(), 0)
    dataOf(await admin.post(place, offered))
    assert.equal(await known(), 1)
  })

  it('is to the key that an administrator registered, whatever the sources list', async () => {
    dataOf(await trust(createSigningKey('acme-own')), 201)
    await add('main', main)
    const refused = { status: 400, code: 4009, reason: 'publisher_key_unknown' }
    assert.deepEqual(refusalOf(await admin.post('/plugins/install', { name: 'acme.alone' })), refused)
    const sent = await upload(admin, await readFile(await main.pack('acme.alone')))
    assert.deepEqual(refusalOf(sent), refused)
  })

  it('is asked for where two sources mean different publishers by one name', async () => {
    await add('main', main)
    await add('other', other, { priority: 1 })
    const asked = await admin.post('/plugins/install', { name: 'acme.shared' })
    assert.deepEqual(refusalOf(asked), { status: 409, code: 4094, reason: 'plugin_source_ambiguous' })
    assert.deepEqual(asked.body['details'], { sources: ['other', 'main'] })
    dataOf(await admin.post('/plugins/install', { name: 'acme.shared', source: 'main' }), 201)
    assert.equal((await detail('acme.shared'))['source'], 'main')
  })
})
