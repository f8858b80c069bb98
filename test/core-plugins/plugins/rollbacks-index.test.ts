import assert from 'node:assert/strict'
import { pathToFileURL } from 'node:url'
import { dataOf, refusalOf, startPlatform, type Platform } from '../../support/platform.ts'
import { TestIndex } from '../plugin-index/world.ts'

const plugin = '/admin/plugins/acme.old'
const asking = { capabilities: ['http'], reasons: { http: 'Asks.' }, http: { hosts: [{ host: 'a.example.com' }] } }

describe('the way back to a release that an index has', () => {
  let platform: Platform
  let index: TestIndex

  before(async () => {
    index = await TestIndex.create('official')
    await index.publish('acme.old', { manifest: { version: '0.8.0', ...asking } })
    for (const version of ['0.9.0', '1.0.0']) await index.publish('acme.old', { manifest: { version } })
    await index.build()
    platform = await startPlatform()
    const { admin } = platform
    dataOf(
      await admin.post('/plugins/sources', { id: 'main', name: 'Main', url: pathToFileURL(index.directory).href }),
      201,
    )
    dataOf(await admin.post('/plugins/sources/main/refresh'))
    dataOf(await admin.post('/plugins/install', { name: 'acme.old', version: '1.0.0' }), 201)
  })
  after(async () => {
    await platform[Symbol.asyncDispose]()
    await index[Symbol.asyncDispose]()
  })

  const rollBack = (version: string) => platform.admin.post(`${plugin}/rollback`, { version })
  const active = async () => dataOf(await platform.admin.get(plugin))['version'] as unknown

  it('takes it from the source that the plugin belongs to', async () => {
    assert.equal(dataOf(await rollBack('0.9.0'))['version'], '0.9.0')
    assert.equal(dataOf(await platform.admin.post(`${plugin}/rollback`))['version'], '1.0.0')
  })

  it('is refused to one that the source does not have, and to one that asks for more than was granted', async () => {
    const before = await active()
    assert.equal(refusalOf(await rollBack('0.1.0')).code, 4046)
    const refused = await rollBack('0.8.0')
    assert.deepEqual(refusalOf(refused), { status: 409, code: 4094, reason: 'plugin_release_not_granted' })
    assert.deepEqual(refused.body['details'], { capabilities: ['http', 'routes', 'limits'] })
    assert.equal(await active(), before)
  })
})
