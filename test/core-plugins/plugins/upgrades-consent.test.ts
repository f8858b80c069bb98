import assert from 'node:assert/strict'
import type { Answer, Api, Body } from '../../support/api.ts'
import { dataOf, refusalOf, startPlatform, type Platform } from '../../support/platform.ts'
import { installFirst, lastOperation, packRelease, upgrade, versionOf, versionRoute } from './upgrades-world.ts'

const wider = { capabilities: ['storage'], reasons: { storage: 'Keeps files.' } }
const outdated = { status: 409, code: 4094, reason: 'plugin_consent_outdated' }

describe('upgrades to wider rights', () => {
  let platform: Platform
  let admin: Api

  before(async () => {
    platform = await startPlatform()
    admin = platform.admin
  })
  after(() => platform[Symbol.asyncDispose]())

  const detail = async (name: string) => dataOf(await admin.get(`/plugins/${name}`))
  const answer = (name: string, accept: boolean, { release_hash, diff_hash }: Body): Promise<Answer> =>
    admin.post(`/plugins/${name}/consent`, { accept, release_hash, diff_hash })
  const kept = async (name: string) =>
    (await platform.host.kernel.database.knex('plugin_releases').where({ name }).orderBy('id').select('version')).map(
      ({ version }: { version: string }) => version,
    )
  const askedFor = ({ wider: items }: Body) =>
    (items as unknown as { capability: string }[]).map(({ capability }) => capability)

  it('wait for a consent while the release before runs on, and are done with it', async () => {
    await installFirst(admin, 'acme.wide')
    const asked = dataOf(await upgrade(admin, 'acme.wide', await packRelease('acme.wide', '1.1.0', wider)))
    assert.deepEqual([asked['version'], asked['status']], ['1.0.0', 'enabled'])
    const { pending, consent } = asked as { pending: Body; consent: Body }
    assert.deepEqual([pending['version'], pending['consent']], ['1.1.0', consent])
    assert.deepEqual(askedFor(consent), ['storage'])
    assert.equal(await versionOf(admin, 'acme.wide'), '1.0.0')
    assert.deepEqual((await detail('acme.wide'))['pending'], pending)
    const done = dataOf(await answer('acme.wide', true, consent))
    assert.deepEqual([done['version'], done['pending'], done['consent']], ['1.1.0', null, undefined])
    const granted = (done['granted'] as unknown as { capability: string }[]).map(({ capability }) => capability)
    assert.ok(granted.includes('storage'))
    assert.equal(await versionOf(admin, 'acme.wide'), '1.1.0')
    assert.equal((await lastOperation(admin, 'acme.wide'))['kind'], 'upgrade')
  })

  it('are those of their release alone: the one before has them no more once it is back', async () => {
    const routes = { admin_routes: [versionRoute, { method: 'GET', path: '/can', handler: 'can' }] }
    const sources = { handlers: `can: (request, ctx) => ({ storage: ctx.can('storage') }),` }
    await installFirst(admin, 'acme.back', routes, sources)
    const can = async () => dataOf(await admin.get('/admin/plugins/acme.back/api/can'))['storage']
    const next = await packRelease('acme.back', '1.1.0', { ...wider, ...routes }, sources)
    const { consent } = dataOf(await upgrade(admin, 'acme.back', next)) as { consent: Body }
    const asked = await can()
    dataOf(await answer('acme.back', true, consent))
    const given = await can()
    assert.equal(dataOf(await admin.post('/admin/plugins/acme.back/rollback', {}))['version'], '1.0.0')
    assert.deepEqual([asked, given, await can()], [false, true, false])
  })

  it('are also those of a free plugin that costs money from now on', async () => {
    await installFirst(admin, 'acme.paid')
    const paid = await packRelease('acme.paid', '1.1.0', { licensing: { type: 'commercial', keys: ['k'] } })
    const { version, consent } = dataOf(await upgrade(admin, 'acme.paid', paid)) as { version: Body; consent: Body }
    assert.deepEqual([version, askedFor(consent)], ['1.0.0', ['licensing']])
    assert.equal(await versionOf(admin, 'acme.paid'), '1.0.0')
    assert.equal(dataOf(await answer('acme.paid', true, consent))['version'], '1.1.0')
  })

  it('that are refused leave nothing, and what was granted as it was', async () => {
    await installFirst(admin, 'acme.refused')
    const next = await packRelease('acme.refused', '1.1.0', wider)
    const { consent } = dataOf(await upgrade(admin, 'acme.refused', next)) as { consent: Body }
    const after = dataOf(await answer('acme.refused', false, consent))
    assert.deepEqual([after['version'], after['pending'], await kept('acme.refused')], ['1.0.0', null, ['1.0.0']])
    assert.equal(await versionOf(admin, 'acme.refused'), '1.0.0')
    assert.equal(refusalOf(await answer('acme.refused', true, consent)).code, 4094)
  })

  it('are asked for anew when the package is another one', async () => {
    await installFirst(admin, 'acme.changed')
    const first = await packRelease('acme.changed', '1.1.0', wider)
    const { consent: before } = dataOf(await upgrade(admin, 'acme.changed', first)) as { consent: Body }
    const second = await packRelease('acme.changed', '1.1.0', wider, { handlers: 'more() {},' })
    const { consent } = dataOf(await upgrade(admin, 'acme.changed', second)) as { consent: Body }
    assert.notEqual(consent['release_hash'], before['release_hash'])
    assert.deepEqual(refusalOf(await answer('acme.changed', true, before)), outdated)
    const mixed = { ...consent, diff_hash: '0'.repeat(64) as unknown as Body }
    assert.deepEqual(refusalOf(await answer('acme.changed', true, mixed)), outdated)
    assert.equal(await versionOf(admin, 'acme.changed'), '1.0.0')
    assert.equal(dataOf(await answer('acme.changed', true, consent))['version'], '1.1.0')
  })

  it('may be consented to with the upgrade itself, by who may consent', async () => {
    await installFirst(admin, 'acme.ahead')
    const next = await packRelease('acme.ahead', '1.1.0', wider)
    const { consent } = dataOf(await upgrade(admin, 'acme.ahead', next)) as { consent: Body }
    const accept = { release_hash: consent['release_hash'], diff_hash: consent['diff_hash'] }
    const role = { code: 'upgrader', name: 'Upgrader', permissions: ['platform_plugin:upgrade'] }
    dataOf(await admin.post('/admin/roles', role), 201)
    const user = { email: 'upgrader@stoa.test', password: 'a long enough passphrase' }
    dataOf(await admin.post('/admin/users', { ...user, roles: ['upgrader'] }), 201)
    const { access_token: token } = dataOf(await admin.post('/admin/auth/login/json', user))
    const wanted = { version: '1.1.0', accept }
    assert.equal(dataOf(await admin.as(token).post('/plugins/acme.ahead/upgrade', wanted))['version'], '1.0.0')
    assert.equal(dataOf(await admin.post('/plugins/acme.ahead/upgrade', wanted))['version'], '1.1.0')
  })

  it('are nobody’s concern when a release asks for the same or less', async () => {
    const hosts = (...names: string[]) => ({
      capabilities: ['http'],
      reasons: { http: 'Asks.' },
      http: { hosts: names.map((host) => ({ host, reason: 'Asks.' })) },
    })
    await installFirst(admin, 'acme.less', hosts('a.example.com', 'b.example.com'))
    const same = await packRelease('acme.less', '1.1.0', hosts('b.example.com', 'a.example.com'))
    assert.equal(dataOf(await upgrade(admin, 'acme.less', same))['version'], '1.1.0')
    const less = await packRelease('acme.less', '1.2.0', hosts('a.example.com'))
    assert.equal(dataOf(await upgrade(admin, 'acme.less', less))['version'], '1.2.0')
    const more = await packRelease('acme.less', '1.3.0', hosts('a.example.com', 'c.example.com'))
    const { version, consent } = dataOf(await upgrade(admin, 'acme.less', more)) as { version: Body; consent: Body }
    assert.deepEqual([version, askedFor(consent)], ['1.2.0', ['http']])
  })

  it('are asked for a new public route, and for higher limits', async () => {
    await installFirst(admin, 'acme.open')
    const hook = { method: 'POST', path: '/hook', handler: 'version', auth: 'none' }
    const more = { public_routes: [hook], limits: { cpuMs: 2000 } }
    const next = await packRelease('acme.open', '1.1.0', more)
    const { consent } = dataOf(await upgrade(admin, 'acme.open', next)) as { consent: Body }
    assert.deepEqual(askedFor(consent), ['routes', 'limits'])
    const isThere = async () => refusalOf(await admin.post('/api/public/plugins/acme.open/api/hook')).code
    assert.equal(await isThere(), 4044)
    dataOf(await answer('acme.open', true, consent))
    // Of which tenant it is, nobody said.
    assert.equal(await isThere(), 4041)
    assert.equal(await versionOf(admin, 'acme.open'), '1.1.0')
  })

  it('tell also what was granted before, what stays and what goes, and are pinned to all of it', async () => {
    const host = (name: string) => ({ host: name, reason: 'Asks.' })
    const reasons = { http: 'Asks.', storage: 'Keeps.', events: 'Tells.', notify: 'Calls.' }
    const asking = (hosts: readonly object[], capabilities: readonly ('storage' | 'events' | 'notify')[]) => ({
      capabilities: ['http', ...capabilities],
      reasons: { http: 'Asks.', ...Object.fromEntries(capabilities.map((each) => [each, reasons[each]])) },
      http: { hosts },
      ...(capabilities.includes('storage') && { storage: { quotaMb: 1, maxObjectMb: 1 } }),
      ...(capabilities.includes('events') && { events: { publish: ['acme.all.done'], subscribe: [] } }),
    })
    const [a, b, c] = [host('a.example.com'), host('b.example.com'), host('c.example.com')]
    await installFirst(admin, 'acme.all', asking([a, b], ['storage', 'events']))
    const routes = { admin_routes: [{ ...versionRoute, timeoutMs: 20_000 }] }
    const next = await packRelease('acme.all', '1.1.0', { ...asking([a, c], ['events', 'notify']), ...routes })
    const { consent } = dataOf(await upgrade(admin, 'acme.all', next)) as { consent: Body }
    const { wider: asked, unchanged, added, removed } = consent as unknown as Record<string, Record<string, unknown>[]>
    const of = (items: Record<string, unknown>[] = [], ...keys: string[]) =>
      items.map((item) => keys.map((key) => item[key]))
    assert.deepEqual(of(asked, 'capability', 'before', 'risk'), [
      ['http', { hosts: [a, b] }, 'outside'],
      ['notify', null, 'outside'],
      ['limits', {}, 'far'],
    ])
    const events = { publish: ['acme.all.done'], subscribe: [] }
    assert.deepEqual(of(unchanged, 'capability', 'before', 'detail', 'risk')[0], ['events', events, events, 'harmless'])
    assert.deepEqual(of(unchanged, 'capability'), [['events'], ['routes']])
    assert.deepEqual(of(added, 'kind', 'detail', 'capability', 'reason'), [
      ['capability', 'notify', 'notify', 'Calls.'],
      ['host', 'GET c.example.com:443', 'http', 'Asks.'],
      ['limit', 'routes.timeoutMs 20000', 'limits', null],
    ])
    assert.deepEqual(of(removed, 'kind', 'detail', 'before'), [
      ['capability', 'storage', { quotaMb: 1, maxObjectMb: 1 }],
      ['host', 'GET b.example.com:443', null],
      ['limit', 'storage.maxObjectMb 1', null],
      ['limit', 'storage.quotaMb 1', null],
    ])

    // Neither what goes nor what stays is asked for, and both were read.
    const { knex } = platform.host.kernel.database
    const plugin = knex('plugins').select('id').where({ name: 'acme.all' })
    const grant = (capability: string) =>
      knex('plugin_grants').where({ capability }).whereIn('plugin_id', plugin.clone())
    const [kept] = (await grant('storage').clone()) as [object]
    await grant('storage').delete()
    assert.deepEqual(refusalOf(await answer('acme.all', true, consent)), outdated)
    await knex('plugin_grants').insert(kept)
    const { detail_hash: hash } = (await grant('events').first()) as { detail_hash: string }
    await grant('events').update({ detail_hash: '0'.repeat(64) })
    assert.deepEqual(refusalOf(await answer('acme.all', true, consent)), outdated)
    await grant('events').update({ detail_hash: hash })
    assert.equal(dataOf(await answer('acme.all', true, consent))['version'], '1.1.0')
  })

  it('do not undo what an administrator took back', async () => {
    const notes = { capabilities: ['storage'], reasons: { storage: 'Keeps files.' }, admin_routes: [versionRoute] }
    await installFirst(admin, 'acme.held', notes)
    dataOf(await admin.put('/plugins/acme.held/capabilities', { granted: [] }))
    const next = await packRelease('acme.held', '1.1.0', notes)
    const after = dataOf(await upgrade(admin, 'acme.held', next))
    assert.deepEqual([after['version'], after['withheld']], ['1.1.0', ['storage']])
  })

  it('are asked for when a manifest is loaded anew and wants more than was granted', async () => {
    await installFirst(admin, 'acme.synced', wider)
    const grants = platform.host.kernel.database.knex('plugin_grants')
    await grants
      .where({ capability: 'storage' })
      .whereIn('plugin_id', (plugins) => {
        void plugins.from('plugins').select('id').where({ name: 'acme.synced' })
      })
      .delete()
    const { consent, status } = dataOf(await admin.post('/plugins/acme.synced/sync-manifest')) as Record<string, Body>
    assert.ok(consent)
    assert.deepEqual([status, askedFor(consent)], ['enabled', ['storage']])
    assert.equal(await versionOf(admin, 'acme.synced'), '1.0.0')
    const after = dataOf(await answer('acme.synced', true, consent))
    assert.deepEqual([after['pending'], after['consent']], [null, undefined])
  })
})
