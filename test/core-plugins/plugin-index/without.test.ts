import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { corePlugins } from '../../../core-plugins/index.ts'
import type { Api } from '../../support/api.ts'
import { dataOf, refusalOf, startPlatform, type Platform } from '../../support/platform.ts'
import { upload } from '../../support/small-plugin.ts'
import { TestIndex } from './world.ts'

const without: ReadonlySet<string> = new Set(['plugin_index', 'first_run'])
const name = 'acme.alone'

describe('a platform without the index', () => {
  let platform: Platform
  let admin: Api
  let index: TestIndex

  before(async () => {
    index = await TestIndex.create()
    platform = await startPlatform({ plugins: corePlugins.filter((plugin) => !without.has(plugin.name)) })
    admin = platform.admin
  })
  after(async () => {
    await platform[Symbol.asyncDispose]()
    await index[Symbol.asyncDispose]()
  })

  const pack = async (version: string, signed = false) => {
    const release = { manifest: { version }, ...(!signed && { key: null }) }
    return readFile(await index.pack(name, release))
  }

  it('installs, runs, upgrades and removes what is uploaded', async () => {
    dataOf(await upload(admin, await pack('1.0.0')), 201)
    const enabled = dataOf(await admin.post(`/plugins/${name}/enable`))
    const { status, trust, revoked, update_available: update } = enabled
    assert.deepEqual(
      { status, trust, revoked, update },
      { status: 'enabled', trust: 'local', revoked: null, update: null },
    )
    const [listed] = dataOf(await admin.get('/plugins'))['items'] as unknown as { name: string; revoked: unknown }[]
    assert.deepEqual([listed?.name, listed?.revoked], [name, null])
    const taken = await admin.post(`/plugins/${name}/upgrade`, { version: '1.1.0' })
    assert.deepEqual(refusalOf(taken), { status: 400, code: 4009, reason: 'plugin_no_index' })
    dataOf(await admin.delete(`/plugins/${name}?purge=true`))
  })

  it('has no sources to take plugins from', async () => {
    const installed = await admin.post('/plugins/install', { name })
    assert.deepEqual(refusalOf(installed), { status: 400, code: 4009, reason: 'plugin_no_index' })
    assert.equal((await admin.get('/plugins/marketplace')).status, 404)
  })

  it('believes no key of a publisher, and asks uploads for what the site demands', async () => {
    const signed = await upload(admin, await pack('1.0.0', true))
    assert.deepEqual([signed.status, signed.body['code']], [400, 4009])
    dataOf(await admin.put('/admin/configs/groups/platform_marketplace', { upload_min_trust: 'verified' }))
    const refused = await upload(admin, await pack('1.0.0'))
    assert.deepEqual(refusalOf(refused), { status: 400, code: 4009, reason: 'plugin_trust_too_low' })
  })
})
