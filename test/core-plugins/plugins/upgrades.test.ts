import assert from 'node:assert/strict'
import { sweepOperations } from '../../../core-plugins/plugins/operations/sweep-operations.ts'
import type { Api } from '../../support/api.ts'
import { dataOf, refusalOf, startPlatform, type Platform } from '../../support/platform.ts'
import { upload } from '../../support/small-plugin.ts'
import { upgradeSteps } from '../../../core-plugins/plugins/upgrades/upgrade-steps.ts'
import { installFirst, lastOperation, packRelease, upgrade, versionOf } from './upgrades-world.ts'

describe('upgrades', () => {
  let platform: Platform
  let admin: Api

  before(async () => {
    platform = await startPlatform()
    admin = platform.admin
  })
  after(() => platform[Symbol.asyncDispose]())

  const rows = (table: string) => platform.host.kernel.database.knex(table)

  it('put a newer release in the place of the one that runs, in recorded steps', async () => {
    await installFirst(admin, 'acme.steps')
    const next = await packRelease('acme.steps', '1.1.0')
    const after = dataOf(await upgrade(admin, 'acme.steps', next))
    assert.deepEqual([after['version'], after['status'], after['pending']], ['1.1.0', 'enabled', null])
    assert.equal(await versionOf(admin, 'acme.steps'), '1.1.0')
    const { kind, state, from_release, to_release, steps } = await lastOperation(admin, 'acme.steps')
    assert.deepEqual([kind, state, from_release, to_release], ['upgrade', 'succeeded', '1.0.0', '1.1.0'])
    assert.deepEqual(
      (steps as unknown as { step: string }[]).map(({ step }) => step),
      upgradeSteps.map(({ name }) => name).filter((name) => !['ask', 'gate', 'drain', 'doom'].includes(name)),
    )
  })

  it('lead to newer versions of the same plugin only', async () => {
    await installFirst(admin, 'acme.newer')
    const older = await packRelease('acme.newer', '0.9.0')
    const notNewer = { status: 409, code: 4094, reason: 'plugin_release_not_newer' }
    assert.deepEqual(refusalOf(await upgrade(admin, 'acme.newer', older)), notNewer)
    const same = await packRelease('acme.newer', '1.0.0', {}, { handlers: 'other() {},' })
    assert.deepEqual(refusalOf(await upgrade(admin, 'acme.newer', same)), notNewer)
    const other = await packRelease('acme.another', '2.0.0')
    const foreign = { status: 400, code: 4009, reason: 'plugin_other_package' }
    assert.deepEqual(refusalOf(await upgrade(admin, 'acme.newer', other)), foreign)
    assert.equal((await upgrade(admin, 'acme.absent', other)).body['code'], 4046)
    assert.equal(await versionOf(admin, 'acme.newer'), '1.0.0')
  })

  it('are refused for a release that does not load, and nothing of it is left', async () => {
    await installFirst(admin, 'acme.loads')
    const releases = () => rows('plugin_releases').where({ name: 'acme.loads' }).select('version')
    const broken = await packRelease('acme.loads', '1.1.0', {}, { members: 'x: nothing,' })
    assert.equal(refusalOf(await upgrade(admin, 'acme.loads', broken)).code, 4009)
    const hooks = { selfTest: 'selfTest' }
    const failing = { members: 'hooks: { selfTest() { throw new Error("not well") } },' }
    const unwell = await packRelease('acme.loads', '1.1.0', { hooks }, failing)
    assert.equal(refusalOf(await upgrade(admin, 'acme.loads', unwell)).code, 4009)
    assert.deepEqual([await releases(), await versionOf(admin, 'acme.loads')], [[{ version: '1.0.0' }], '1.0.0'])
    assert.equal((await lastOperation(admin, 'acme.loads'))['state'], 'failed')
  })

  it('keep to the range from which the author lets them begin, and to the scope', async () => {
    await installFirst(admin, 'acme.range')
    const far = await packRelease('acme.range', '3.0.0', { upgrade: { from: '>=2.0.0' }, scope: 'platform' })
    const answer = await upgrade(admin, 'acme.range', far)
    assert.deepEqual(refusalOf(answer), { status: 400, code: 4009, reason: 'plugin_incompatible' })
    const fields = (answer.body['errors'] as unknown as { field: string }[]).map(({ field }) => field)
    assert.deepEqual(fields, ['upgrade.from', 'scope'])
  })

  it('keep to what the platform offers, what it requires, and what requires it', async () => {
    await installFirst(admin, 'acme.base')
    await installFirst(admin, 'acme.leaf', { requires: { 'acme.base': '^1.0.0' } })
    const future = await packRelease('acme.base', '1.1.0', { engines: { host: '>=99.0.0' } })
    assert.equal(refusalOf(await upgrade(admin, 'acme.base', future)).reason, 'plugin_incompatible')
    const needy = await packRelease('acme.leaf', '1.1.0', { requires: { 'acme.base': '^2.0.0' } })
    assert.equal(refusalOf(await upgrade(admin, 'acme.leaf', needy)).reason, 'plugin_incompatible')
    const major = await packRelease('acme.base', '2.0.0')
    const answer = await upgrade(admin, 'acme.base', major)
    assert.deepEqual(refusalOf(answer), { status: 409, code: 4095, reason: 'plugin_required' })
    assert.deepEqual(answer.body['details'], { by: ['acme.leaf'] })
    dataOf(await upgrade(admin, 'acme.base', await packRelease('acme.base', '1.2.0')))
  })

  it('leave a pinned plugin alone unless somebody insists', async () => {
    await installFirst(admin, 'acme.pinned')
    const pinned = dataOf(await admin.put('/plugins/acme.pinned/pin', { pinned: true }))
    assert.equal(pinned['pinned'], true)
    const next = await packRelease('acme.pinned', '1.1.0')
    const refused = { status: 409, code: 4094, reason: 'plugin_pinned' }
    assert.deepEqual(refusalOf(await upgrade(admin, 'acme.pinned', next)), refused)
    const forced = dataOf(await upgrade(admin, 'acme.pinned', next, '?force=true'))
    assert.deepEqual([forced['version'], forced['pinned']], ['1.1.0', true])
    dataOf(await admin.post('/plugins/acme.pinned/rollback', {}))
    const wanted = { version: '1.1.0' }
    assert.deepEqual(refusalOf(await admin.post('/plugins/acme.pinned/upgrade', wanted)), refused)
    // A release that is kept needs no package.
    const freed = dataOf(await admin.post('/plugins/acme.pinned/upgrade', { ...wanted, unpin: true }))
    assert.deepEqual([freed['version'], freed['pinned']], ['1.1.0', false])
  })

  it('of a disabled plugin leave it disabled, and what is enabled then is the new release', async () => {
    dataOf(await upload(admin, await packRelease('acme.resting', '1.0.0')), 201)
    const after = dataOf(await upgrade(admin, 'acme.resting', await packRelease('acme.resting', '1.1.0')))
    assert.deepEqual([after['version'], after['status']], ['1.1.0', 'installed'])
    dataOf(await admin.post('/plugins/acme.resting/enable'))
    assert.equal(await versionOf(admin, 'acme.resting'), '1.1.0')
  })

  it('keep three releases, and no more files of others', async () => {
    const pages = {
      capabilities: ['ui'],
      reasons: { ui: 'Shows pages.' },
      slots: [{ slot: 'page', id: 'page', entry: 'ui/page.html', title: { default: 'Page' } }],
    }
    const pageOf = async () => {
      const { release_hash } = dataOf(await admin.get('/plugins/acme.many')) as unknown as { release_hash: string }
      return `/plugin-ui/acme.many/${release_hash}/ui/page.html`
    }
    const packPage = (version: string) => ({ 'ui/page.html': `<!doctype html><title>${version}</title>` })
    await installFirst(admin, 'acme.many', pages, { files: packPage('1.0.0') })
    const seen = [await pageOf()]
    for (const version of ['1.1.0', '1.2.0', '1.3.0', '1.4.0']) {
      const next = await packRelease('acme.many', version, pages, { files: packPage(version) })
      dataOf(await upgrade(admin, 'acme.many', next))
      seen.push(await pageOf())
      // A page that was opened before the switch goes on loading its files.
      const before = await platform.host.api.get(String(seen.at(-2)))
      assert.equal(before.status, 200)
      assert.ok(!(before.body as unknown as string).includes(version))
    }
    const found = await Promise.all(seen.map(async (page) => (await platform.host.api.get(page)).status))
    assert.deepEqual(found, [404, 404, 200, 200, 200])
    const kept = await rows('plugin_releases').where({ name: 'acme.many' }).orderBy('id').select('version')
    assert.deepEqual(kept, [{ version: '1.2.0' }, { version: '1.3.0' }, { version: '1.4.0' }])
    const backups = dataOf(await admin.get('/plugins/acme.many/backups')) as unknown as { items: object[] }
    assert.equal(backups.items.length, 3)
  })

  it('are remembered as long as the log reaches back, and the last one of a plugin as long as that', async () => {
    await rows('plugin_operations')
      .where({ plugin: 'acme.many' })
      .update({ finished_at: platform.host.kernel.database.knex.raw(`now() - interval '181 days'`) })
    const settings = { get: () => Promise.resolve(180 as never), item: () => Promise.resolve(undefined) }
    assert.ok((await sweepOperations(platform.host.kernel.database.knex, settings)) > 3)
    const { items } = dataOf(await admin.get('/plugins/acme.many/operations')) as unknown as { items: object[] }
    assert.equal(items.length, 1)
    assert.equal((await lastOperation(admin, 'acme.many'))['to_release'], '1.4.0')
  })

  it('are written down, and are for who holds the permission', async () => {
    const audit = dataOf(await admin.get('/admin/audit-logs?limit=200')) as unknown as { items: { action: string }[] }
    const actions = new Set(audit.items.map(({ action }) => action))
    for (const action of ['upgraded', 'pinned', 'rolled_back']) assert.ok(actions.has(`plugin.${action}`), action)
    const nobody = { code: 'nobody', name: 'Nobody', permissions: ['platform_plugin:list'] }
    dataOf(await admin.post('/admin/roles', nobody), 201)
    const user = { email: 'nobody@stoa.test', password: 'a long enough passphrase' }
    dataOf(await admin.post('/admin/users', { ...user, roles: ['nobody'] }), 201)
    const { access_token: token } = dataOf(await admin.post('/admin/auth/login/json', user))
    const denied = { status: 403, code: 4031, reason: 'permission_denied' }
    assert.deepEqual(refusalOf(await admin.as(token).post('/plugins/acme.many/upgrade', {})), denied)
    assert.deepEqual(refusalOf(await admin.as(token).put('/plugins/acme.many/pin', { pinned: true })), denied)
  })
})
