// @both-back-ends
import assert from 'node:assert/strict'
import { pluginsProgressed } from '../../../core-plugins/plugins/contract.ts'
import { definePlugin } from '#kernel'
import type { Answer, Api } from '../../support/api.ts'
import { dataOf, refusalOf, startPlatform, type Platform } from '../../support/platform.ts'
import { described } from '../../support/probe.ts'
import { until } from '../../support/until.ts'
import { installFirst, lastOperation, packRelease, upgrade, versionOf, versionRoute } from './upgrades-world.ts'

const first = { 'migrations/0001_init.up.sql': 'create table notes (id bigserial primary key, text text not null);' }
const second = { 'migrations/0002_mark.up.sql': `alter table notes add column mark text not null default 'none';` }
const routes = [
  versionRoute,
  { method: 'POST', path: '/notes', handler: 'add' },
  { method: 'GET', path: '/notes', handler: 'list' },
  { method: 'GET', path: '/slow', handler: 'slow' },
]
const notes = {
  capabilities: ['db:own_tables'],
  reasons: { 'db:own_tables': 'Keeps notes.' },
  db: { tables: ['notes'], migrations: 'migrations/' },
  admin_routes: routes,
}
const handlers = `
  async add({ body }, ctx, db) { await db.table('notes').insert(body); return {} },
  async list(request, ctx, db) { return { items: await db.table('notes').select().limit(10) } },
  async slow(request, ctx, db) {
    for (let count = 0; count < 20; count++) await db.table('notes').select().limit(1)
    return { version: ctx.plugin.version }
  },`

describe('upgrades of a schema', () => {
  let platform: Platform
  let admin: Api

  before(async () => {
    platform = await startPlatform()
    admin = platform.admin
  })
  after(() => platform[Symbol.asyncDispose]())

  const path = (name: string) => `/admin/plugins/${name}/api`
  const pack = (name: string, files: Readonly<Record<string, string>>, more: object = {}) =>
    packRelease(name, '1.1.0', { ...notes, ...more }, { handlers, files })
  const install = (name: string) => installFirst(admin, name, notes, { handlers, files: first })
  const applied = (plugin: string): Promise<string[]> =>
    platform.host.kernel.database.knex('plugin_migrations').where({ plugin }).orderBy('migration').pluck('migration')
  /** Does something at the beginning of a step of the next operation. */
  const at = async (name: string, step: string, work: () => Promise<void>, run: () => Promise<void>): Promise<void> => {
    const plugin = definePlugin({
      ...described('listener'),
      setup: (scope) =>
        scope.on(pluginsProgressed, (at) => (at.plugin === name && at.step === step ? work() : undefined)),
    })
    await platform.host.kernel.enable(plugin)
    await run()
    await platform.host.kernel.disable('listener')
  }

  it('apply what is missing while the release before runs, and keep the rows', async () => {
    await install('acme.notes')
    dataOf(await admin.post(`${path('acme.notes')}/notes`, { text: 'before' }))
    dataOf(await upgrade(admin, 'acme.notes', await pack('acme.notes', { ...first, ...second })))
    dataOf(await admin.post(`${path('acme.notes')}/notes`, { text: 'after', mark: 'new' }))
    const { items } = dataOf(await admin.get(`${path('acme.notes')}/notes`)) as unknown as {
      items: { text: string; mark: string }[]
    }
    assert.deepEqual(
      items.map(({ text, mark }) => [text, mark]),
      [
        ['before', 'none'],
        ['after', 'new'],
      ],
    )
  })

  it('are refused when what was applied is not what the package has', async () => {
    await install('acme.history')
    const refused = { status: 400, code: 4009, reason: 'plugin_migrations_changed' }
    const other = { 'migrations/0001_init.up.sql': `${first['migrations/0001_init.up.sql']} -- changed` }
    assert.deepEqual(refusalOf(await upgrade(admin, 'acme.history', await pack('acme.history', other))), refused)
    const renamed = { 'migrations/0001_other.up.sql': first['migrations/0001_init.up.sql'] }
    assert.deepEqual(refusalOf(await upgrade(admin, 'acme.history', await pack('acme.history', renamed))), refused)
    assert.equal(await versionOf(admin, 'acme.history'), '1.0.0')
  })

  it('that the database refuses leave the release and its tables as they were', async () => {
    await install('acme.failing')
    dataOf(await admin.post(`${path('acme.failing')}/notes`, { text: 'same' }))
    dataOf(await admin.post(`${path('acme.failing')}/notes`, { text: 'same' }))
    const unique = { 'migrations/0003_unique.up.sql': 'create unique index notes_text on notes (text);' }
    const answer = await upgrade(admin, 'acme.failing', await pack('acme.failing', { ...first, ...second, ...unique }))
    assert.deepEqual(refusalOf(answer), { status: 400, code: 4009, reason: 'plugin_migration_failed' })
    assert.equal(await versionOf(admin, 'acme.failing'), '1.0.0')
    assert.deepEqual(await applied('acme.failing'), ['0001_init'])
    dataOf(await admin.post(`${path('acme.failing')}/notes`, { text: 'same' }))
  })

  it('that fail after their migrations leave the release and its tables as they were', async () => {
    await install('acme.undone')
    const { knex } = platform.host.kernel.database
    await knex.raw(
      `create function refuse_release() returns trigger language plpgsql as 'begin raise exception ''no''; end'`,
    )
    await knex.raw(`create trigger refuse_release before update of active_release on plugins
                      for each row execute function refuse_release()`)
    const answer = await upgrade(admin, 'acme.undone', await pack('acme.undone', { ...first, ...second }))
    await knex.raw('drop function refuse_release cascade')
    assert.deepEqual(
      [answer.status, await versionOf(admin, 'acme.undone'), await applied('acme.undone')],
      [500, '1.0.0', ['0001_init']],
    )
  })

  it('that break let nobody in meanwhile, and wait for who is', async () => {
    await install('acme.breaking')
    let during: Answer | undefined
    const gone = { 'migrations/0002_mark.up.sql': 'alter table notes add column mark text;' }
    const next = await pack('acme.breaking', { ...first, ...gone }, { upgrade: { breakingSchema: true } })
    const look = async () => {
      during = await admin.get(`${path('acme.breaking')}/version`)
    }
    // In the tables when the gate closes: it ends as it would have.
    const inside = admin.get(`${path('acme.breaking')}/slow`)
    await at('acme.breaking', 'switch', look, async () => void dataOf(await upgrade(admin, 'acme.breaking', next)))
    assert.deepEqual(dataOf(await inside), { version: '1.0.0' })
    assert.ok(during)
    assert.deepEqual(refusalOf(during), { status: 503, code: 5035, reason: 'plugin_not_running' })
    assert.deepEqual([during.body['details'], during.headers['retry-after']], [{ cause: 'upgrading' }, '5'])
    assert.equal(await versionOf(admin, 'acme.breaking'), '1.1.0')
  })

  it('that break and fail open the gate again', async () => {
    await install('acme.gated')
    const wrong = { 'migrations/0002_wrong.up.sql': `alter table notes add column mark text not null;` }
    dataOf(await admin.post(`${path('acme.gated')}/notes`, { text: 'kept' }))
    const breaking = { upgrade: { breakingSchema: true } }
    const answer = await upgrade(admin, 'acme.gated', await pack('acme.gated', { ...first, ...wrong }, breaking))
    assert.equal(refusalOf(answer).reason, 'plugin_migration_failed')
    assert.equal(await versionOf(admin, 'acme.gated'), '1.0.0')
  })

  it('call the hook with the versions, and go back when it fails', async () => {
    await installFirst(admin, 'acme.hooked')
    const hooks = { upgrade: 'onUpgrade' }
    const wants = (condition: string) =>
      `hooks: { onUpgrade({ from, to, operation_id }) { if (!(${condition})) throw new Error('not ' + from) } },`
    const good = wants(`from === '1.0.0' && to === '1.1.0' && operation_id.length === 36`)
    dataOf(await upgrade(admin, 'acme.hooked', await packRelease('acme.hooked', '1.1.0', { hooks }, { members: good })))
    const bad = await packRelease('acme.hooked', '1.2.0', { hooks }, { members: wants('false') })
    const answer = await upgrade(admin, 'acme.hooked', bad)
    assert.deepEqual(refusalOf(answer), { status: 500, code: 5008, reason: 'plugin_upgrade_undone' })
    assert.equal(await versionOf(admin, 'acme.hooked'), '1.1.0')
    const { kind, state, options } = await lastOperation(admin, 'acme.hooked')
    const { automatic, reason } = options as unknown as { automatic: boolean; reason: string }
    assert.deepEqual([kind, state, automatic], ['rollback', 'succeeded', true])
    assert.match(reason, /not 1\.1\.0/)
  })

  it('stay where they are when the author says that a failed hook does not matter', async () => {
    await installFirst(admin, 'acme.bold')
    const more = { hooks: { upgrade: 'onUpgrade' }, upgrade: { onHookFailure: 'continue' } }
    const members = `hooks: { onUpgrade() { throw new Error('never mind') } },`
    const next = await packRelease('acme.bold', '1.1.0', more, { members })
    assert.equal(dataOf(await upgrade(admin, 'acme.bold', next))['version'], '1.1.0')
    await until(async () => (await versionOf(admin, 'acme.bold')) === '1.1.0')
  })
})
