// @any-back-end
import assert from 'node:assert/strict'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { checkout } from '../../support/host-process.ts'
import type { Api, Body } from '../../support/api.ts'
import { dataOf, refusalOf, startPlatform, type Platform } from '../../support/platform.ts'

const sample = pathToFileURL(path.join(checkout, 'test', 'fixtures', 'index')).href

describe('the marketplace', () => {
  let platform: Platform
  let admin: Api

  before(async () => {
    platform = await startPlatform()
    admin = platform.admin
    dataOf(await admin.post('/plugins/sources', { id: 'sample', name: 'Sample', url: sample }), 201)
    const read = dataOf(await admin.post('/plugins/sources/sample/refresh'))
    assert.deepEqual([read['status'], read['last_error']], ['fresh', null])
  })
  after(() => platform[Symbol.asyncDispose]())

  const namesOf = (body: Body) => (body['items'] as unknown as Body[]).map((item) => item['name'])

  it('lists what the sources offer, in the language of the caller', async () => {
    const listed = dataOf(await admin.get('/plugins/marketplace'))
    assert.ok(Number(listed['total']) >= 3)
    const chinese = dataOf(await admin.get('/plugins/marketplace?q=guestbook&locale=zh-CN'))
    const [book] = chinese['items'] as unknown as Body[]
    assert.deepEqual(
      [book?.['name'], book?.['source'], book?.['installed'], book?.['compatible'], book?.['description']],
      ['acme.guestbook', 'sample', null, true, '访客可以留言，每个租户都有自己的留言簿。'],
    )
  })

  it('finds by words, category, publisher, capability and trust, and pages', async () => {
    const found = async (query: string) => namesOf(dataOf(await admin.get(`/admin/plugins/marketplace?${query}`)))
    assert.deepEqual(await found('publisher=acme&q=guestbook'), ['acme.guestbook'])
    assert.deepEqual(await found('category=sample&capability=ui&q=guest'), ['acme.guestbook'])
    assert.deepEqual(await found('trust=official'), [])
    assert.deepEqual(await found('source=elsewhere'), [])
    assert.deepEqual(await found('installed=true'), [])
    const all = await found('sort=-name')
    assert.deepEqual(all, (await found('sort=name')).toReversed())
    assert.deepEqual(await found('page_size=1&page=2&sort=name'), [all.at(-2)])
  })

  it('shows the README in the language asked for, as text and as HTML', async () => {
    const chinese = dataOf(await admin.get('/plugins/marketplace/acme.guestbook/readme?locale=zh-CN'))
    // Nothing of it but what was sanitised: a client may put any of it into a page.
    assert.deepEqual([chinese['locale'], Object.keys(chinese)], ['zh-CN', ['locale', 'html']])
    assert.ok(JSON.stringify(chinese['html']).includes('<h1>'))
    const other = dataOf(await admin.get('/plugins/marketplace/acme.guestbook/readme?locale=fr'))
    assert.equal(other['locale'], 'default')
  })

  it('shows every version with what speaks against it', async () => {
    const detail = dataOf(await admin.get('/plugins/marketplace/acme.guestbook'))
    const [version] = detail['versions'] as unknown as Body[]
    assert.deepEqual([version?.['compatible'], version?.['yanked'], version?.['revoked']], [true, null, null])
    assert.equal(detail['latest_compatible'], detail['latest'])
  })

  it('serves the icon and no other file', async () => {
    const icon = await admin.get('/plugins/marketplace/acme.guestbook/icon')
    assert.deepEqual([icon.status, icon.headers['content-type']], [200, 'image/png'])
    assert.equal(icon.headers['x-content-type-options'], 'nosniff')
    const file = await admin.get('/plugins/marketplace/acme.guestbook/files/plugin.json')
    assert.deepEqual(refusalOf(file), { status: 404, code: 4040, reason: 'index_file_not_found' })
  })

  it('lists the categories with their titles', async () => {
    const { items } = dataOf(await admin.get('/plugins/marketplace/categories?locale=zh-CN'))
    const security = (items as unknown as Body[]).find((item) => item['id'] === ('security' as unknown))
    assert.equal(security?.['title'], '安全')
  })

  it('refuses what nobody offers', async () => {
    const unknown = await admin.get('/plugins/marketplace/acme.nothing')
    assert.deepEqual(refusalOf(unknown), { status: 404, code: 4046, reason: 'plugin_not_offered' })
    const install = await admin.post('/plugins/install', { name: 'acme.nothing' })
    assert.deepEqual(refusalOf(install), { status: 404, code: 4046, reason: 'plugin_not_offered' })
    const elsewhere = await admin.post('/plugins/install', { name: 'acme.guestbook', source: 'elsewhere' })
    assert.deepEqual(refusalOf(elsewhere), { status: 404, code: 4040, reason: 'plugin_source_not_found' })
    const version = await admin.post('/plugins/install', { name: 'acme.guestbook', version: '9.9.9' })
    assert.deepEqual(refusalOf(version), { status: 404, code: 4046, reason: 'plugin_version_not_offered' })
  })

  it('installs from a source, as far trusted as the publisher is', async () => {
    const installed = dataOf(await admin.post('/plugins/install', { name: 'acme.guestbook' }), 201)
    assert.equal(installed['status'], 'awaiting_consent')
    const detail = dataOf(await admin.get('/plugins/acme.guestbook'))
    assert.equal(detail['trust'], 'verified')
    const again = await admin.post('/plugins/install', { name: 'acme.guestbook' })
    assert.equal(again.body['code'], 4091)
    const [offer] = dataOf(await admin.get('/plugins/marketplace?installed=true'))['items'] as unknown as Body[]
    assert.deepEqual(offer?.['installed'], { version: '1.0.0', source: 'sample' })
    dataOf(await admin.delete('/plugins/acme.guestbook?purge=true'))
  })
})
