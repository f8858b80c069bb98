import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { createSigningKey } from '#marketplace'
import type { Api, Body } from '../../support/api.ts'
import { dataOf, refusalOf, startPlatform, type Platform } from '../../support/platform.ts'
import { until } from '../../support/until.ts'
import { yankVersion } from '../../../marketplace/keeper/change-index.ts'
import { TestIndex } from './world.ts'

const yanked = { reason: 'It lost data', at: '2026-01-01T00:00:00.000Z' }

describe('an install from an index source', () => {
  let platform: Platform
  let admin: Api
  let index: TestIndex

  before(async () => {
    index = await TestIndex.create('official')
    await index.publish('acme.good', { manifest: { version: '1.0.0' } })
    await index.publish('acme.good', { manifest: { version: '1.1.0' } })
    await index.publish('acme.good', { manifest: { version: '1.2.0', engines: { host: '>=99.0.0' } } })
    await index.publish('acme.good', { manifest: { version: '1.1.5' } }, { yanked })
    for (const version of ['1.0.0', '1.1.0-beta.1', '1.1.0-alpha.1'])
      await index.publish('acme.early', { manifest: { version } })
    await index.publish('acme.future', { manifest: { engines: { host: '>=99.0.0' } } })
    await index.publish('acme.needy', { manifest: { requires: { 'acme.good': '^1.1.0', 'acme.absent': '*' } } })
    await index.publish('acme.stranger', { key: createSigningKey('acme-2') })
    await index.publish('acme.unsigned', { key: null })
    await index.publish('acme.other-tree', {}, { treeHash: '0'.repeat(64) })
    await index.publish('acme.other-zip', {}, { sha256: '0'.repeat(64) })
    await index.publish('acme.vain', { manifest: { minTrust: 'official' } })
    await index.build()
    platform = await startPlatform()
    admin = platform.admin
    await addSource('main', { max_trust: 'verified' })
  })
  after(async () => {
    await platform[Symbol.asyncDispose]()
    await index[Symbol.asyncDispose]()
  })

  const addSource = async (id: string, more: object = {}) => {
    const url = pathToFileURL(index.directory).href
    dataOf(await admin.post('/plugins/sources', { id, name: id, url, ...more }), 201)
    dataOf(await admin.post(`/plugins/sources/${id}/refresh`))
  }
  const install = (name: string, more: object = {}) => admin.post('/plugins/install', { name, ...more })
  const remove = async (name: string) => void dataOf(await admin.delete(`/plugins/${name}?purge=true`))

  const refused: readonly (readonly [name: string, status: number, code: number, reason: string])[] = [
    ['acme.future', 400, 4009, 'plugin_no_compatible_version'],
    ['acme.stranger', 400, 4009, 'publisher_key_unknown'],
    ['acme.unsigned', 400, 4009, 'plugin_trust_too_low'],
    ['acme.other-tree', 400, 4009, 'plugin_offer_mismatch'],
    ['acme.other-zip', 502, 5023, 'download_refused'],
    ['acme.vain', 400, 4009, 'plugin_trust_too_low'],
  ]
  for (const [name, status, code, reason] of refused) {
    it(`is refused for ${name} with ${reason}, and leaves nothing`, async () => {
      assert.deepEqual(refusalOf(await install(name)), { status, code, reason })
      assert.deepEqual(await readdir(path.join(platform.host.dataDir, 'staging')).catch(() => []), [])
      assert.equal((await admin.get(`/plugins/${name}`)).body['code'], 4046)
    })
  }

  it('names what is missing, and what the sources have of it', async () => {
    const answer = await install('acme.needy')
    assert.deepEqual(refusalOf(answer), { status: 400, code: 4009, reason: 'plugin_incompatible' })
    assert.deepEqual(answer.body['details']?.['missing'], [
      { name: 'acme.absent', range: '*', installed: null, offered: null },
      { name: 'acme.good', range: '^1.1.0', installed: null, offered: { source: 'main', version: '1.2.0' } },
    ])
  })

  it('takes prereleases of a channel only from who asks for it, and follows it from then on', async () => {
    const offer = dataOf(await admin.get('/plugins/marketplace/acme.early'))
    const versions = offer['versions'] as unknown as readonly Body[]
    assert.deepEqual(
      versions.map(({ version, channel, provenance }) => [version, channel, provenance]),
      [
        ['1.1.0-beta.1', 'beta', null],
        ['1.1.0-alpha.1', 'alpha', null],
        ['1.0.0', null, null],
      ],
    )
    assert.equal(dataOf(await install('acme.early'), 201)['version'], '1.0.0')
    const upgrade = (body: object) => admin.post('/plugins/acme.early/upgrade', body)
    assert.deepEqual(refusalOf(await upgrade({ channel: 'Beta!' })).status, 422)
    assert.equal(dataOf(await upgrade({ channel: 'beta' }))['version'], '1.1.0-beta.1')
    await index.publish('acme.early', { manifest: { version: '1.1.0-beta.2' } })
    await index.publish('acme.early', { manifest: { version: '1.1.0-rc.1' } })
    await index.build()
    dataOf(await admin.post('/plugins/sources/main/refresh'))
    assert.equal(dataOf(await upgrade({}))['version'], '1.1.0-beta.2')
    await remove('acme.early')
    assert.equal(dataOf(await install('acme.early', { channel: 'alpha' }), 201)['version'], '1.1.0-alpha.1')
    await remove('acme.early')
  })

  it('takes the newest version that fits, and no further trust than the source has', async () => {
    const installed = dataOf(await install('acme.good'), 201)
    assert.deepEqual([installed['version'], installed['status']], ['1.1.0', 'installed'])
    const detail = dataOf(await admin.get('/plugins/acme.good'))
    assert.deepEqual([detail['trust'], detail['source']], ['verified', 'main'])
    await remove('acme.good')
  })

  it('takes a yanked version from who names it', async () => {
    assert.equal(dataOf(await install('acme.good', { version: '1.1.5' }), 201)['version'], '1.1.5')
    await remove('acme.good')
  })

  it('is official where an administrator says that the source may be', async () => {
    dataOf(await admin.put('/plugins/sources/main', { max_trust: 'official' }))
    dataOf(await install('acme.vain'), 201)
    assert.equal(dataOf(await admin.get('/plugins/acme.vain'))['trust'], 'official')
    await remove('acme.vain')
    dataOf(await admin.put('/plugins/sources/main', { max_trust: 'verified' }))
  })

  it('belongs to its source: no other one has a say about it', async () => {
    dataOf(await install('acme.good', { version: '1.0.0' }), 201)
    await addSource('better', { priority: 1 })
    const foreign = await install('acme.good', { source: 'better' })
    assert.deepEqual(refusalOf(foreign), { status: 409, code: 4094, reason: 'plugin_of_another_source' })
    const offer = dataOf(await admin.get('/plugins/marketplace/acme.good'))
    assert.deepEqual([offer['source'], offer['also_in']], ['main', ['better']])
    dataOf(await admin.delete('/plugins/sources/better'))
    await remove('acme.good')
  })

  it('is not let in where the source denies the name', async () => {
    dataOf(await admin.put('/plugins/sources/main', { deny: ['acme.good'] }))
    assert.equal((await install('acme.good')).body['code'], 4046)
    assert.equal((await install('acme.good', { source: 'main' })).body['reason'], 'plugin_not_allowed')
    dataOf(await admin.put('/plugins/sources/main', { deny: [] }))
  })

  it('is followed by updates that say what they would bring', async () => {
    dataOf(await install('acme.good', { version: '1.0.0' }), 201)
    const updateOf = (body: Body) =>
      (body['items'] as unknown as Body[]).find((item) => item['name'] === ('acme.good' as unknown))
    const update = updateOf(dataOf(await admin.get('/plugins/updates')))
    const { installed, latest, latest_compatible, status, security, rights } = update ?? {}
    assert.deepEqual(
      { installed, latest, latest_compatible, status, security },
      { installed: '1.0.0', latest: '1.2.0', latest_compatible: '1.1.0', status: 'available', security: false },
    )
    assert.equal(rights?.['change'], 'none')
    const listed = dataOf(await admin.get('/plugins'))['items'] as unknown as Body[]
    assert.equal(listed.find((item) => item['name'] === ('acme.good' as unknown))?.['source'], 'main')
    await yankVersion(index.directory, 'acme.good', '1.1.0', { reason: 'Slow', at: new Date(), undo: false })
    await index.publish('acme.good', {
      manifest: { version: '1.1.9', capabilities: ['storage'], reasons: { storage: 'Files.' } },
    })
    await index.build()
    const after = updateOf(dataOf(await admin.post('/plugins/updates/refresh')))
    assert.deepEqual([after?.['latest_compatible'], after?.['rights']?.['change']], ['1.1.9', 'wider'])
    const report = dataOf(await admin.get('/plugins/updates/host?version=98.0.0'))
    assert.deepEqual([report['ready'], report['blocked_by']], [true, []])
    await remove('acme.good')
  })

  it('goes on when its source is gone, without updates', async () => {
    await addSource('brief')
    dataOf(await install('acme.good', { source: 'brief', version: '1.0.0' }), 201)
    dataOf(await admin.delete('/plugins/sources/brief'))
    const items = dataOf(await admin.get('/plugins/updates'))['items'] as unknown as Body[]
    const [update] = items
    assert.deepEqual([update?.['status'], update?.['source'], update?.['latest']], ['source_gone', 'brief', null])
    dataOf(await admin.post('/plugins/acme.good/enable'))
    await until(async () => dataOf(await admin.get('/plugins/acme.good'))['status'] === ('enabled' as unknown))
    await remove('acme.good')
  })
})
