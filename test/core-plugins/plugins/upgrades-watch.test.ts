import assert from 'node:assert/strict'
import type { Body } from '../../support/api.ts'
import type { Api } from '../../support/api.ts'
import { dataOf, refusalOf, startPlatform, type Platform } from '../../support/platform.ts'
import { until } from '../../support/until.ts'
import { installFirst, lastOperation, packRelease, upgrade, versionOf, versionRoute } from './upgrades-world.ts'

const failing = { admin_routes: [versionRoute, { method: 'GET', path: '/work', handler: 'work' }] }
const works = { handlers: 'work: () => ({}),' }
const fails = { handlers: 'work() { throw new Error("broken") },' }

describe('a new release is watched', () => {
  let platform: Platform
  let admin: Api

  before(async () => {
    platform = await startPlatform()
    admin = platform.admin
  })
  after(() => platform[Symbol.asyncDispose]())

  const knex = () => platform.host.kernel.database.knex
  const detail = async (name: string) => dataOf(await admin.get(`/plugins/${name}`))
  const watches = (name: string) =>
    knex()('plugin_watches').whereIn('plugin_id', knex()('plugins').select('id').where({ name }))
  const call = async (name: string, times: number) => {
    for (let count = 0; count < times; count++) await admin.get(`/admin/plugins/${name}/api/work`)
  }
  const isBack = async (name: string) => {
    await until(async () => (await detail(name))['version'] === ('1.0.0' as unknown))
    await until(async () => (await lastOperation(admin, name))['state'] === ('succeeded' as unknown))
  }

  const untilTold = (wanted: string) =>
    until(async () => {
      const { items } = dataOf(await admin.get('/notifications')) as unknown as { items: { title: string }[] }
      return items.some(({ title }) => title === wanted)
    })

  it('and goes when most of its calls fail: the one before runs again, administrators are told', async () => {
    await installFirst(admin, 'acme.sick', failing, works)
    dataOf(await upgrade(admin, 'acme.sick', await packRelease('acme.sick', '1.1.0', failing, fails)))
    assert.ok((await watches('acme.sick')).length === 1)
    await call('acme.sick', 11)
    await isBack('acme.sick')
    dataOf(await admin.get('/admin/plugins/acme.sick/api/work'))
    const { kind, state, actor, options } = await lastOperation(admin, 'acme.sick')
    const { automatic, reason } = options as unknown as { automatic: boolean; reason: string }
    assert.deepEqual([kind, state, actor, automatic], ['rollback', 'succeeded', null, true])
    assert.match(reason, /^\d+ of its first \d+ calls failed$/)
    // A job tells them, and the watch may be over.
    await untilTold('acme.sick was rolled back to 1.0.0')
    await until(async () => (await watches('acme.sick')).length === 0)
    const chinese = dataOf(await admin.get('/notifications', { headers: { 'accept-language': 'zh-CN' } }))
    const told = (chinese['items'] as unknown as Body[]).find(
      ({ title }) => title === ('acme.sick 已回滚到 1.0.0' as unknown),
    )
    assert.match(told?.['body'] as unknown as string, /^最初 \d+ 次调用中有 \d+ 次失败$/)
  })

  it('and stays when few of its calls fail, or none were made', async () => {
    await installFirst(admin, 'acme.sound', failing, works)
    const mixed = { handlers: 'work({ query }) { if (query.bad) throw new Error("bad"); return {} },' }
    dataOf(await upgrade(admin, 'acme.sound', await packRelease('acme.sound', '1.1.0', failing, mixed)))
    for (let count = 0; count < 4; count++) await admin.get('/admin/plugins/acme.sound/api/work?bad=1')
    await call('acme.sound', 8)
    await until(async () => (await watches('acme.sound').where({ calls: 12 })).length === 1)
    const { until: end, ...seen } = (await detail('acme.sound'))['watch'] as unknown as { until: string }
    assert.deepEqual(seen, { from: '1.0.0', calls: 12, errors: 4, kills: 0 })
    assert.ok(Date.parse(end) > Date.now())
    // As if the minute were over.
    await watches('acme.sound').update({ until: new Date() })
    await until(async () => (await watches('acme.sound')).length === 0)
    assert.equal((await detail('acme.sound'))['watch'], null)
    assert.equal(await versionOf(admin, 'acme.sound'), '1.1.0')
  })

  it('and goes when it brings down what it runs in, on whichever hosts', async () => {
    await installFirst(admin, 'acme.killer', failing, works)
    dataOf(await upgrade(admin, 'acme.killer', await packRelease('acme.killer', '1.1.0', failing, works)))
    // What other hosts counted.
    await watches('acme.killer').update({ kills: 3 })
    await isBack('acme.killer')
    assert.equal(await versionOf(admin, 'acme.killer'), '1.0.0')
  })

  it('and is quarantined when its schema leads nowhere back', async () => {
    const tables = {
      ...failing,
      capabilities: ['db:own_tables'],
      reasons: { 'db:own_tables': 'Keeps notes.' },
      db: { tables: ['notes'], migrations: 'migrations/' },
    }
    const files = { 'migrations/0001_init.up.sql': 'create table notes (id bigserial primary key);' }
    const added = { 'migrations/0002_text.up.sql': 'alter table notes add column text text;' }
    await installFirst(admin, 'acme.oneway', tables, { ...works, files })
    const next = await packRelease('acme.oneway', '1.1.0', tables, { ...fails, files: { ...files, ...added } })
    dataOf(await upgrade(admin, 'acme.oneway', next))
    await call('acme.oneway', 11)
    await until(async () => (await detail('acme.oneway'))['status'] === ('quarantined' as unknown))
    await untilTold('acme.oneway was quarantined')
    const paused = refusalOf(await admin.get('/admin/plugins/acme.oneway/api/work'))
    assert.deepEqual(paused, { status: 503, code: 5035, reason: 'plugin_not_running' })
    assert.equal((await detail('acme.oneway'))['version'], '1.1.0')
    const better = await packRelease('acme.oneway', '1.2.0', tables, { ...works, files: { ...files, ...added } })
    assert.equal(dataOf(await upgrade(admin, 'acme.oneway', better))['status'], 'enabled')
    dataOf(await admin.get('/admin/plugins/acme.oneway/api/work'))
  })
})
