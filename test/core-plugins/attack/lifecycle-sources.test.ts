import assert from 'node:assert/strict'
import { cp, readFile as read } from 'node:fs/promises'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { createSigningKey, type RevocationsFile } from '#marketplace'
import { toStableJson } from '../../../marketplace/keeper/stable-json.ts'
import type { Api } from '../../support/api.ts'
import { dataOf, refusalOf, startPlatform, type Platform } from '../../support/platform.ts'
import { installAndEnable, packSmall } from '../../support/small-plugin.ts'
import { createAdministrator } from './lifecycle-world.ts'
import { TestIndex } from '../plugin-index/world.ts'

const forbidden = { status: 403, code: 4031, reason: 'permission_denied' }

describe('attacks by way of index sources', () => {
  let platform: Platform
  let admin: Api
  let index: TestIndex

  before(async () => {
    index = await TestIndex.create()
    await index.publish('acme.one')
    await index.build()
    platform = await startPlatform()
    admin = platform.admin
  })
  after(async () => {
    await platform[Symbol.asyncDispose]()
    await index[Symbol.asyncDispose]()
  })

  const urlOf = (folder: string) => pathToFileURL(folder).href
  const add = (id: string, more: object = {}, by = admin) =>
    by.post('/plugins/sources', { id, name: id, url: urlOf(index.directory), ...more })
  const rowOf = (id: string) => platform.host.kernel.database.knex('plugin_sources').where({ id }).first()
  const revoke = (more: Partial<RevocationsFile>) =>
    index.write('revocations.json', toStableJson({ format: 1, plugins: [], keys: [], licenses: [], ...more }))

  it('make nothing official for who may not consent to what plugins do', async () => {
    const chooser = await createAdministrator(admin, 'chooser', ['marketplace:sources'])
    assert.deepEqual(refusalOf(await add('raised', { max_trust: 'official' }, chooser)), forbidden)
    dataOf(await add('raised', {}, chooser), 201)
    const change = (change: object) => chooser.put('/plugins/sources/raised', change)
    assert.deepEqual(refusalOf(await change({ max_trust: 'official' })), forbidden)
    dataOf(await admin.put('/plugins/sources/raised', { max_trust: 'official' }))
    assert.deepEqual(refusalOf(await change({ url: 'https://other.example.com/' })), forbidden)
    dataOf(await change({ priority: 3 }))
    const key = { publisher: 'evil', kid: 'evil-1', public_key: createSigningKey('evil-1').publicKey }
    assert.deepEqual(refusalOf(await chooser.post('/plugins/publishers', { ...key, level: 'official' })), forbidden)
    dataOf(await chooser.post('/plugins/publishers', { ...key, level: 'verified' }), 201)
    dataOf(await admin.delete('/plugins/sources/raised'))
  })

  it('leave a new pin as it is, whatever was on its way from the root before', async () => {
    dataOf(await add('pinned'), 201)
    dataOf(await admin.post('/plugins/sources/pinned/refresh'))
    const pin = 'f'.repeat(64)
    await Promise.all([
      ...Array.from({ length: 4 }, () => admin.post('/plugins/sources/pinned/refresh')),
      admin.put('/plugins/sources/pinned', { root_fingerprint: pin }),
      ...Array.from({ length: 4 }, () => admin.post('/plugins/sources/pinned/refresh')),
    ])
    assert.equal((await admin.post('/plugins/sources/pinned/refresh')).status, 502)
    const { root_fingerprint: pinned, sequence } = (await rowOf('pinned')) as Record<string, unknown>
    assert.deepEqual([pinned, sequence], [pin, null])
    assert.equal(refusalOf(await admin.get('/plugins/marketplace/acme.one?source=pinned')).code, 4046)
    dataOf(await admin.delete('/plugins/sources/pinned'))
  })

  it('switch nothing off that another brought, where nobody signed what they say', async () => {
    const zip = await packSmall('acme.mine')
    await installAndEnable(admin, zip)
    const unsigned = path.join(path.dirname(index.directory), 'unsigned')
    await revoke({
      plugins: [{ plugin: 'acme.mine', versions: '*', severity: 'critical', action: 'disable', reason: 'No.' }],
      keys: [{ kid: 'acme-1' }],
    })
    await index.build()
    await cp(index.directory, unsigned, { recursive: true })
    await revoke({})
    await index.build()
    dataOf(await add('loose', { url: urlOf(unsigned), unsigned: true, min_trust: 'unsigned' }), 201)
    dataOf(await admin.post('/plugins/sources/loose/refresh'))
    dataOf(await add('main'), 201)
    dataOf(await admin.post('/plugins/sources/main/refresh'))
    const signed = { field: 'file', name: 'a.plugin.zip', content: await read(await index.pack('acme.signed')) }
    dataOf(await admin.call('POST', '/plugins/upload', { file: signed }), 201)
    assert.equal(dataOf(await admin.get('/plugins/acme.mine'))['status'], 'enabled')
    assert.equal(dataOf(await admin.get('/plugins/acme.mine'))['revoked'], null)
    dataOf(await admin.delete('/plugins/sources/loose'))
  })

  it('bring no release back that was revoked while it was kept here', async () => {
    for (const version of ['1.0.0', '1.1.0']) await index.publish('acme.kept', { manifest: { version } })
    await index.build()
    dataOf(await admin.post('/plugins/sources/main/refresh'))
    dataOf(await admin.post('/plugins/install', { name: 'acme.kept', version: '1.0.0' }), 201)
    dataOf(await admin.post('/plugins/acme.kept/upgrade', { version: '1.1.0' }))
    dataOf(await admin.post('/plugins/acme.kept/rollback'))
    const entry = { plugin: 'acme.kept', severity: 'critical', action: 'block_install', reason: 'It leaks.' } as const
    await revoke({ plugins: [{ ...entry, versions: '1.1.0' }] })
    await index.build()
    dataOf(await admin.post('/plugins/sources/main/refresh'))
    const refused = refusalOf(await admin.post('/plugins/acme.kept/upgrade', { version: '1.1.0' }))
    assert.deepEqual(refused, { status: 400, code: 4009, reason: 'plugin_release_revoked' })
    // The place before is kept too, and led back to without a version.
    for (const body of [{}, { version: '1.1.0' }]) {
      assert.deepEqual(refusalOf(await admin.post('/plugins/acme.kept/rollback', body)), refused)
    }
    assert.equal(dataOf(await admin.get('/plugins/acme.kept'))['version'], '1.0.0')
  })

  it('hold nobody up with thousands of ranges', async () => {
    const ranges = Array.from({ length: 1_000 }, (_, at) => `<0.${at}.0`)
    const entry = { plugin: 'acme.one', severity: 'low', action: 'warn', reason: 'No.' } as const
    await revoke({ plugins: ranges.map((versions) => ({ ...entry, versions })) })
    await assert.rejects(index.build(), /more than 20 revocations/)
    await revoke({})
    await index.build()
  })
})
