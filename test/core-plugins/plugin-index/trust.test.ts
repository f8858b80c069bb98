import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createSigningKey, type SigningKey } from '#marketplace'
import type { Api, Body } from '../../support/api.ts'
import { dataOf, refusalOf, startPlatform, type Platform } from '../../support/platform.ts'
import { descendants } from '../../support/processes.ts'
import { upload } from '../../support/small-plugin.ts'
import { TestIndex, type SmallRelease } from './world.ts'

describe('trust in packages', () => {
  let platform: Platform
  let admin: Api
  let packs: TestIndex
  const acme = createSigningKey('acme-own')

  before(async () => {
    platform = await startPlatform()
    admin = platform.admin
    packs = await TestIndex.create()
  })
  after(async () => {
    await platform[Symbol.asyncDispose]()
    await packs[Symbol.asyncDispose]()
  })

  const trust = (key: SigningKey, level: string, publisher = 'acme') =>
    admin.post('/plugins/publishers', { publisher, kid: key.kid, public_key: key.publicKey, level })
  const send = async (name: string, release: SmallRelease) =>
    upload(admin, await readFile(await packs.pack(name, release)))
  const trustOf = async (name: string) => dataOf(await admin.get(`/plugins/${name}`))['trust']
  const remove = async (name: string) => void dataOf(await admin.delete(`/plugins/${name}?purge=true`))

  it('an upload without a signature is trusted as far as this site', async () => {
    dataOf(await send('acme.plain', { key: null }), 201)
    assert.equal(await trustOf('acme.plain'), 'local')
    await remove('acme.plain')
  })

  it('a signature by a key that nobody knows is refused, and the answer says whose it is', async () => {
    const refused = await send('acme.signed', { key: acme })
    assert.deepEqual(refusalOf(refused), { status: 400, code: 4009, reason: 'publisher_key_unknown' })
    assert.deepEqual(refused.body['details'], { rule: 'key_unknown', publisher: 'acme', kid: 'acme-own' })
  })

  it('a key that an administrator trusts makes an upload as trusted as the key is', async () => {
    const made = dataOf(await trust(acme, 'community'), 201)
    assert.match(JSON.stringify(made['fingerprint']), /^"[0-9a-f]{64}"$/)
    assert.deepEqual(refusalOf(await trust(acme, 'verified')), {
      status: 409,
      code: 4091,
      reason: 'publisher_key_taken',
    })
    dataOf(await send('acme.signed', { key: acme }), 201)
    assert.equal(await trustOf('acme.signed'), 'community')
    await remove('acme.signed')
    dataOf(await admin.delete(`/plugins/publishers/${Number(made['id'])}`))
    assert.equal((await send('acme.signed', { key: acme })).body['reason'], 'publisher_key_unknown')
  })

  it('a key is believed for its own publisher alone', async () => {
    const made = dataOf(await trust(acme, 'verified', 'other'), 201)
    assert.equal((await send('acme.signed', { key: acme })).body['reason'], 'publisher_key_unknown')
    dataOf(await admin.delete(`/plugins/publishers/${Number(made['id'])}`))
  })

  it('a key that is none, and the id of the key of this site, are refused', async () => {
    const invalid = { status: 422, code: 4220, reason: 'publisher_key_invalid' }
    const public_key = `${'A'.repeat(42)}B`
    const body = { publisher: 'acme', kid: 'a-1', public_key, level: 'verified' }
    assert.deepEqual(refusalOf(await admin.post('/plugins/publishers', body)), invalid)
    assert.deepEqual(refusalOf(await trust(createSigningKey('site'), 'official')), invalid)
  })

  it('an author may ask for more trust than an upload has', async () => {
    const refused = await send('acme.careful', { key: null, manifest: { minTrust: 'community' } })
    assert.deepEqual(refusalOf(refused), { status: 400, code: 4009, reason: 'plugin_trust_too_low' })
    assert.deepEqual(refused.body['details'], { trust: 'local', least: 'community' })
  })

  it('a platform may ask for more trust of uploads, and let some names in only', async () => {
    const group = '/admin/configs/groups/platform_marketplace'
    dataOf(await admin.put(group, { upload_min_trust: 'verified' }))
    assert.equal((await send('acme.plain', { key: null })).body['reason'], 'plugin_trust_too_low')
    dataOf(await admin.put(group, { upload_min_trust: 'local', marketplace_deny: ['acme.*'] }))
    assert.equal((await send('acme.plain', { key: null })).body['reason'], 'plugin_not_allowed')
    dataOf(await admin.put(group, { marketplace_deny: [], marketplace_allow: ['acme.other'] }))
    assert.equal((await send('acme.plain', { key: null })).body['reason'], 'plugin_not_allowed')
    dataOf(await admin.put(group, { marketplace_allow: [] }))
  })

  describe('of official publishers', () => {
    const route = { method: 'GET', path: '/run', handler: 'run' }
    const definition = '{ handlers: { run: () => ({ ran: true }) } }'
    const plugin = { manifest: { admin_routes: [route] }, definition }
    let key: Body

    before(async () => {
      key = dataOf(await trust(acme, 'official'), 201)
    })

    const run = async (name: string) => dataOf(await admin.get(`/admin/plugins/${name}/api/run`))

    it('runs on the lane with the compiler, and nobody gets there by claiming it', async () => {
      const { knex } = platform.host.kernel.database
      dataOf(await send('acme.slow', { ...plugin, key: null }), 201)
      await knex('plugin_releases').where({ name: 'acme.slow' }).update({ trust: 'official' })
      dataOf(await admin.post('/plugins/acme.slow/enable'))
      await run('acme.slow')
      assert.equal(fastLanes(), 0)
      dataOf(await send('acme.fast', { ...plugin, key: acme }), 201)
      dataOf(await admin.post('/plugins/acme.fast/enable'))
      await run('acme.fast')
      assert.equal(fastLanes(), 1)
      for (const name of ['acme.slow', 'acme.fast']) await remove(name)
    })

    it('stays what it was when its key goes', async () => {
      dataOf(await send('acme.kept', { ...plugin, key: acme }), 201)
      dataOf(await admin.post('/plugins/acme.kept/enable'))
      dataOf(await admin.delete(`/plugins/publishers/${Number(key['id'])}`))
      dataOf(await admin.post('/plugins/acme.kept/sync-manifest'))
      assert.equal(await trustOf('acme.kept'), 'official')
      assert.deepEqual(await run('acme.kept'), { ran: true })
      await remove('acme.kept')
    })
  })
})

/** Hosts of the sandbox that run with the just-in-time compiler. */
function fastLanes(): number {
  const commands = descendants(process.pid).map((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
    } catch {
      return ''
    }
  })
  return commands.filter((command) => command.includes('--permission') && command.includes('--no-use-osr')).length
}
