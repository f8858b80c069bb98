import assert from 'node:assert/strict'
import { pathToFileURL } from 'node:url'
import type { Api, Body } from '../../support/api.ts'
import { dataOf, refusalOf, startPlatform, type Platform } from '../../support/platform.ts'
import { packSmall, upload } from '../../support/small-plugin.ts'
import { until } from '../../support/until.ts'
import { createAdministrator, outcomesOf } from './lifecycle-world.ts'
import { TestIndex } from '../plugin-index/world.ts'
import { installFirst, packRelease, upgrade, versionOf } from '../plugins/upgrades-world.ts'

const wider = { capabilities: ['storage'], reasons: { storage: 'Keeps files.' } }

describe('attacks on releases of a plugin', () => {
  let platform: Platform
  let admin: Api
  let index: TestIndex

  before(async () => {
    index = await TestIndex.create()
    for (const version of ['1.0.0', '1.1.0']) await index.publish('acme.listed', { manifest: { version } })
    await index.publish('acme.moved', { manifest: { version: '1.1.0' } })
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

  const detail = async (name: string) => dataOf(await admin.get(`/plugins/${name}`))
  const kept = async (name: string): Promise<readonly string[]> =>
    platform.host.kernel.database.knex('plugin_releases').where({ name }).orderBy('id').pluck('version')
  const consent = (name: string, accept: boolean, { release_hash, diff_hash }: Body) =>
    admin.post(`/plugins/${name}/consent`, { accept, release_hash, diff_hash })

  it('find no two rows where one package is sent twice', async () => {
    await installFirst(admin, 'acme.twice')
    const next = await packRelease('acme.twice', '1.1.0', wider)
    const { consent: first } = dataOf(await upgrade(admin, 'acme.twice', next)) as { consent: Body }
    const { consent: second } = dataOf(await upgrade(admin, 'acme.twice', next)) as { consent: Body }
    assert.deepEqual(second, first)
    dataOf(await consent('acme.twice', true, second))
    dataOf(await admin.post('/plugins/acme.twice/rollback'))
    const { pending } = dataOf(await upgrade(admin, 'acme.twice', next))
    assert.equal(pending?.['version'], '1.1.0')
    assert.deepEqual(await kept('acme.twice'), ['1.0.0', '1.1.0'])
  })

  it('find no consent for a package that came in the place of the one that was shown', async () => {
    await installFirst(admin, 'acme.swapped')
    const shown = await packRelease('acme.swapped', '1.1.0', wider)
    const { consent: before } = dataOf(await upgrade(admin, 'acme.swapped', shown)) as { consent: Body }
    const other = await packRelease('acme.swapped', '1.1.0', { ...wider, storage: { quotaMb: 4000 } })
    dataOf(await upgrade(admin, 'acme.swapped', other))
    assert.equal(refusalOf(await consent('acme.swapped', true, before)).reason, 'plugin_consent_outdated')
    assert.equal(await versionOf(admin, 'acme.swapped'), '1.0.0')
  })

  it('end with one winner when consents, upgrades, rollbacks and an uninstall come at once', async () => {
    await installFirst(admin, 'acme.raced')
    const [second, third] = [
      await packRelease('acme.raced', '1.1.0', wider),
      await packRelease('acme.raced', '1.2.0', wider),
    ]
    const { consent: asked } = dataOf(await upgrade(admin, 'acme.raced', second)) as { consent: Body }
    const outcomes = await outcomesOf([
      consent('acme.raced', true, asked),
      upgrade(admin, 'acme.raced', third),
      consent('acme.raced', false, asked),
      admin.post('/plugins/acme.raced/rollback'),
      admin.delete('/plugins/acme.raced?purge=true'),
      admin.post('/plugins/acme.raced/enable'),
    ])
    assert.deepEqual(
      outcomes.filter((outcome) => !/^(20\d|404|409)/.test(outcome)),
      [],
    )
    await admin.delete('/plugins/acme.raced?purge=true')
    assert.equal((await admin.get('/plugins/acme.raced')).status, 404)
    assert.deepEqual(await kept('acme.raced'), [])
  })

  it('find no way up by a rollback', async () => {
    dataOf(await admin.post('/plugins/install', { name: 'acme.listed', version: '1.0.0' }), 201)
    const back = await createAdministrator(admin, 'back', [
      'platform_plugin:rollback',
      'platform_plugin:detail',
      'marketplace:download',
    ])
    assert.deepEqual(refusalOf(await back.post('/plugins/acme.listed/rollback', { version: '1.1.0' })), {
      ...{ status: 409, code: 4094, reason: 'plugin_release_newer' },
    })
    assert.deepEqual([(await detail('acme.listed'))['version'], await kept('acme.listed')], ['1.0.0', ['1.0.0']])
  })

  it('bring no package from a source to who may not take one', async () => {
    const up = await createAdministrator(admin, 'up', ['platform_plugin:upgrade', 'platform_plugin:detail'])
    assert.equal(refusalOf(await up.post('/plugins/acme.listed/upgrade', { version: '1.1.0' })).code, 4031)
    assert.equal((await detail('acme.listed'))['version'], '1.0.0')
  })

  it('lower the trust of no plugin unless that is said, and take no plugin from its source', async () => {
    await installFirst(admin, 'acme.moved')
    const named = dataOf(await admin.post('/plugins/acme.moved/upgrade', { source: 'main' }))
    assert.deepEqual([named['source'], named['trust'], named['package']?.['source']], ['main', 'verified', 'main'])
    const next = await packRelease('acme.moved', '1.2.0', wider)
    const refused = refusalOf(await upgrade(admin, 'acme.moved', next))
    assert.deepEqual(refused, { status: 409, code: 4094, reason: 'plugin_trust_lowered' })
    const { consent: asked } = dataOf(await upgrade(admin, 'acme.moved', next, '?lower_trust=true')) as unknown as {
      consent: { release_hash: string; diff_hash: string }
    }
    const accept = `accept_release_hash=${asked.release_hash}&accept_diff_hash=${asked.diff_hash}`
    const lowered = dataOf(await upgrade(admin, 'acme.moved', next, `?lower_trust=true&${accept}`))
    assert.deepEqual([lowered['version'], lowered['trust'], lowered['source']], ['1.2.0', 'local', 'main'])
    assert.equal(lowered['package']?.['source'], null)
    const { items } = dataOf(await admin.get('/admin/audit-logs?limit=5')) as unknown as {
      items: { action: string; before: { trust?: string } | null; after: { trust?: string } | null }[]
    }
    const entry = items.find(({ action }) => action === 'plugin.upgraded')
    assert.deepEqual([entry?.before?.trust, entry?.after?.trust], ['verified', 'local'])
  })

  it('give no rights by the hand of who may not consent', async () => {
    await installFirst(admin, 'acme.hasty')
    const next = await packRelease('acme.hasty', '1.1.0', wider)
    const { consent: asked } = dataOf(await upgrade(admin, 'acme.hasty', next)) as { consent: Body }
    const hasty = await createAdministrator(admin, 'hasty', ['platform_plugin:upgrade', 'platform_plugin:detail'])
    const { release_hash, diff_hash } = asked
    const accept = { release_hash, diff_hash }
    const { version } = dataOf(await hasty.post('/plugins/acme.hasty/upgrade', { version: '1.1.0', accept }))
    assert.equal(version, '1.0.0')
    assert.equal(refusalOf(await hasty.post('/plugins/acme.hasty/consent', { accept: true, ...accept })).code, 4031)
  })

  it('hold up no other plugin while the tables of one are made', async () => {
    const { knex } = platform.host.kernel.database
    const db = { tables: ['notes'], migrations: 'migrations/' }
    const asking = { capabilities: ['db:own_tables'], reasons: { 'db:own_tables': 'Keeps notes.' }, db }
    const sql = 'create table notes (id bigserial primary key, text text not null);'
    const zip = await packSmall('acme.slow', asking, undefined, { 'migrations/0001_init.up.sql': sql })
    const { consent: asked } = dataOf(await upload(admin, zip), 201) as { consent: Body }
    const installing = await knex.transaction(async (trx) => {
      // As long as nobody may write what was applied, the migrations do not end.
      await trx.raw('lock table plugin_migrations in exclusive mode')
      const begun = consent('acme.slow', true, asked)
      const waiting = `select 1 from pg_locks where not granted and relation = 'plugin_migrations'::regclass`
      await until(async () => (await trx.raw<{ rows: unknown[] }>(waiting)).rows.length > 0, 30_000)
      await trx.raw('select 1 from plugin_desired_state for update nowait')
      return [begun]
    })
    dataOf((await installing[0]) ?? assert.fail())
  })

  it('bring back no right that was taken away', async () => {
    await installFirst(admin, 'acme.withheld', wider)
    dataOf(await upgrade(admin, 'acme.withheld', await packRelease('acme.withheld', '1.1.0', wider)))
    dataOf(await admin.put('/plugins/acme.withheld/capabilities', { granted: [] }))
    dataOf(await admin.post('/plugins/acme.withheld/rollback'))
    assert.deepEqual((await detail('acme.withheld'))['withheld'], ['storage'])
  })
})
