import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Api, Body } from '../../support/api.ts'
import { createUser, createTenant, dataOf, refusalOf, startPlatform, type Platform } from '../../support/platform.ts'
import { findSecrets } from '../../support/sealed-columns.ts'
import { serveIndex, type ServedIndex } from '../../../marketplace/keeper/serve-index.ts'
import { keepers, keptIndex, listSignatures, publishersOf } from '../../marketplace/index-keepers.ts'
import { TestIndex } from './world.ts'
import { disableWithUsers, enableAgain } from '../../support/with-users.ts'

const invalid = { status: 422, code: 4220, reason: 'plugin_source_invalid' }

describe('index sources', () => {
  let platform: Platform
  let admin: Api
  let index: TestIndex
  let served: ServedIndex
  const requests: string[] = []

  before(async () => {
    index = await TestIndex.create()
    await index.publish('acme.one')
    await index.build()
    served = await serveIndex(index.directory, {
      host: '127.0.0.1',
      port: 0,
      onRequest: (_method, path) => void requests.push(path),
    })
    platform = await startPlatform({ env: { EGRESS_ALLOW_PRIVATE: new URL(served.url).host } })
    admin = platform.admin
  })
  after(async () => {
    await platform[Symbol.asyncDispose]()
    await served[Symbol.asyncDispose]()
    await index[Symbol.asyncDispose]()
  })

  const add = (id: string, more: object = {}) =>
    admin.post('/plugins/sources', { id, name: id, url: served.url, ...more })

  it('are added, read at once, changed and removed, and the log says by whom', async () => {
    const made = dataOf(await add('main'), 201)
    assert.deepEqual(
      [made['priority'], made['min_trust'], made['max_trust'], made['unsigned'], made['headers']],
      [100, 'community', 'verified', false, {}],
    )
    const read = dataOf(await admin.post('/plugins/sources/main/refresh'))
    assert.deepEqual([read['status'], read['plugins'], read['root_fingerprint']], ['fresh', 1, index.fingerprint])
    const changed = dataOf(await admin.put('/plugins/sources/main', { priority: 5, deny: ['acme.two'] }))
    assert.deepEqual([changed['priority'], changed['deny'], changed['sequence']], [5, ['acme.two'], read['sequence']])
    assert.deepEqual(refusalOf(await add('main')), { status: 409, code: 4091, reason: 'plugin_source_taken' })
    dataOf(await admin.delete('/plugins/sources/main'))
    const gone = { status: 404, code: 4040, reason: 'plugin_source_not_found' }
    assert.deepEqual(refusalOf(await admin.get('/plugins/sources/main')), gone)
    const { items } = dataOf(await admin.get('/admin/audit-logs?limit=200'))
    const actions: readonly unknown[] = (items as unknown as Body[]).map((entry) => entry['action'])
    for (const action of ['source.created', 'source.updated', 'source.deleted']) assert.ok(actions.includes(action))
  })

  const refused: Readonly<Record<string, object>> = {
    'another scheme': { url: 'ftp://index.test/' },
    'credentials in the address': { url: 'https://me:secret@index.test/' },
    'a query in the address': { url: 'https://index.test/?a=b' },
    'more trust asked for than given': { min_trust: 'verified', max_trust: 'community' },
    'a root for an index without signatures': {
      unsigned: true,
      min_trust: 'unsigned',
      root_fingerprint: '0'.repeat(64),
    },
    'a header of the client': { headers: { Host: 'other' } },
    'a masked header that nobody knows': { headers: { authorization: '********' } },
  }
  for (const [what, more] of Object.entries(refused)) {
    it(`are refused with ${what}`, async () => {
      assert.deepEqual(refusalOf(await add('wrong', more)), invalid)
    })
  }

  it('keep their headers sealed and to themselves, and send them to no other server', async () => {
    const made = dataOf(await add('private', { headers: { Authorization: 'Bearer very-secret' } }), 201)
    assert.deepEqual(made['headers'], { authorization: '********' })
    const secrets = await findSecrets(platform.host.kernel.database.knex)
    assert.ok(secrets.some(({ table, column }) => table === 'plugin_sources' && column === 'headers'))
    const kept = dataOf(await admin.put('/plugins/sources/private', { headers: { authorization: '********' } }))
    assert.deepEqual(kept['headers'], { authorization: '********' })
    const moved = await admin.put('/plugins/sources/private', { url: 'https://elsewhere.test/' })
    assert.deepEqual(refusalOf(moved), invalid)
    const masked = { url: 'https://elsewhere.test/', headers: { authorization: '********' } }
    assert.deepEqual(refusalOf(await admin.put('/plugins/sources/private', masked)), invalid)
    dataOf(await admin.delete('/plugins/sources/private'))
  })

  it('that answer with another root are refused, and keep what they had', async () => {
    dataOf(await add('pinned', { root_fingerprint: '0'.repeat(64) }), 201)
    const wrong = await admin.post('/plugins/sources/pinned/refresh')
    assert.deepEqual(refusalOf(wrong), { status: 502, code: 5023, reason: 'plugin_source_unavailable' })
    const failing = dataOf(await admin.get('/plugins/sources/pinned'))
    assert.deepEqual([failing['status'], failing['plugins']], ['failing', 0])
    dataOf(await admin.delete('/plugins/sources/pinned'))
  })

  it('keep their pinned root at another address, which must be of the same index', async () => {
    const source = '/plugins/sources/moved'
    dataOf(await add('moved'), 201)
    const read = dataOf(await admin.post(`${source}/refresh`))
    const { root_fingerprint, sequence, plugins } = read
    const moved = dataOf(await admin.put(source, { url: pathToFileURL(index.directory).href }))
    assert.deepEqual(
      [moved['root_fingerprint'], moved['sequence'], moved['plugins']],
      [root_fingerprint, sequence, plugins],
    )
    assert.equal(dataOf(await admin.post(`${source}/refresh`))['status'], 'fresh')
    await using other = await TestIndex.create()
    const url = pathToFileURL(other.directory).href
    assert.equal(dataOf(await admin.put(source, { url }))['root_fingerprint'], root_fingerprint)
    assert.equal(refusalOf(await admin.post(`${source}/refresh`)).reason, 'plugin_source_unavailable')
    const asked = dataOf(await admin.put(source, { root_fingerprint: null }))
    assert.deepEqual([asked['root_fingerprint'], asked['sequence']], [null, null])
    assert.equal(dataOf(await admin.post(`${source}/refresh`))['root_fingerprint'], other.fingerprint)
    dataOf(await admin.delete(source))
  })

  it('that are away go on listing what they had, after a restart too', async () => {
    dataOf(await add('away'), 201)
    dataOf(await admin.post('/plugins/sources/away/refresh'))
    const { knex } = platform.host.kernel.database
    const files = await knex('plugin_source_files').where({ source: 'away' }).select<{ name: string }[]>('name')
    assert.ok(files.some(({ name }) => name === 'index.json'))
    const disabled = await disableWithUsers(platform.host.kernel, 'plugins')
    const asked = requests.length
    await enableAgain(platform.host.kernel, disabled)
    const { items } = dataOf(await admin.get('/plugins/marketplace?source=away'))
    assert.deepEqual(
      (items as unknown as Body[]).map((item) => item['name']),
      ['acme.one'],
    )
    assert.equal(requests.length, asked)
    dataOf(await admin.delete('/plugins/sources/away'))
  })

  it('whose publishers two people sign keep the signatures, and never go back to a former list', async () => {
    const lists = [publishersOf(1, 'acme', 'gone'), publishersOf(2, 'acme')] as const
    const folder = await mkdtemp(path.join(tmpdir(), 'stoa-kept-'))
    const lay = async (sequence: number, list: Buffer) => {
      const content = keptIndex(sequence, list, listSignatures(list, keepers.slice(1)))
      for (const [file, bytes] of content) {
        await mkdir(path.dirname(path.join(folder, file)), { recursive: true })
        await writeFile(path.join(folder, file), bytes)
      }
      return admin.post('/plugins/sources/kept/refresh')
    }
    dataOf(await admin.post('/plugins/sources', { id: 'kept', name: 'Kept', url: pathToFileURL(folder).href }), 201)
    assert.equal(dataOf(await lay(1, lists[0]))['sequence'], 1)
    assert.equal(dataOf(await lay(2, lists[1]))['sequence'], 2)
    await enableAgain(platform.host.kernel, await disableWithUsers(platform.host.kernel, 'plugins'))
    assert.equal(refusalOf(await lay(3, lists[0])).reason, 'plugin_source_unavailable')
    const after = dataOf(await admin.get('/plugins/sources/kept'))
    assert.equal(after['sequence'], 2)
    assert.match(JSON.stringify(after['last_error']), /2 was seen before/)
    dataOf(await admin.delete('/plugins/sources/kept'))
    await rm(folder, { recursive: true })
  })

  it('of the same name: the first is shown, the other is named beside it', async () => {
    const other = pathToFileURL(index.directory).href
    dataOf(await add('first', { priority: 1 }), 201)
    dataOf(await admin.post('/plugins/sources', { id: 'second', name: 'Second', url: other, priority: 2 }), 201)
    for (const id of ['first', 'second']) dataOf(await admin.post(`/plugins/sources/${id}/refresh`))
    const shown = async () => (dataOf(await admin.get('/plugins/marketplace'))['items'] as unknown as Body[])[0]
    assert.deepEqual([(await shown())?.['source'], (await shown())?.['also_in']], ['first', ['second']])
    dataOf(await admin.put('/plugins/sources/first', { priority: 3 }))
    assert.deepEqual([(await shown())?.['source'], (await shown())?.['also_in']], ['second', ['first']])
    dataOf(await admin.put('/plugins/sources/second', { deny: ['acme.*'] }))
    assert.deepEqual([(await shown())?.['source'], (await shown())?.['also_in']], ['first', []])
    for (const id of ['first', 'second']) dataOf(await admin.delete(`/plugins/sources/${id}`))
  })

  it('are read once for all who ask meanwhile, and so often a minute for each', async () => {
    dataOf(await add('busy'), 201)
    dataOf(await admin.post('/plugins/sources/busy/refresh'))
    const before = requests.length
    const answers = await Promise.all(Array.from({ length: 31 }, () => admin.post('/plugins/sources/busy/refresh')))
    const asked = requests.slice(before).filter((path) => path.endsWith('index.json')).length
    assert.ok(asked <= 3, `${asked} reads`)
    const refused = answers.find(({ status }) => status === 429)
    assert.equal(refused?.body['code'], 4290)
    assert.ok(Number(refused?.headers['retry-after']) > 0)
    assert.equal((await admin.post('/plugins/updates/refresh')).status, 429)
    assert.ok(answers.some(({ status }) => status === 200))
    dataOf(await admin.delete('/plugins/sources/busy'))
  })

  it('are for administrators alone', async () => {
    const tenant = await createTenant(admin, 'one')
    const user = await createUser(tenant.owner, 'one', ['tenant_plugin:list'])
    for (const path of ['/plugins/sources', '/plugins/marketplace', '/plugins/updates', '/plugins/publishers']) {
      assert.equal((await user.get(path)).body['code'], 4033, path)
      assert.equal((await platform.host.api.get(path)).status, 401, path)
    }
  })
})
