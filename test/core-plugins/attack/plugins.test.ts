import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { pluginHash8 } from '#sandbox'
import type { Knex } from 'knex'
import type { Answer } from '../../support/api.ts'
import { configure, runningKernel } from '../../support/auth.ts'
import { countCpuTime } from '../../support/cpu-time.ts'
import type { TestPlatform, TestTenant } from '../../support/identity.ts'
import { dataOf } from '../../support/platform.ts'
import { installAndEnable, packSmall } from '../../support/small-plugin.ts'
import { until } from '../../support/until.ts'
import { startWhole, useIn } from '../plugin-offers/world.ts'

const text = { default: 'A text' }
const everybody = { tenant: 'all' } as const

describe('an attack by a plugin, or through one', () => {
  let platform: TestPlatform
  let one: TestTenant
  let two: TestTenant
  let db: Knex

  before(async () => {
    platform = await startWhole()
    one = await platform.createTenant('one')
    two = await platform.createTenant('two')
    db = runningKernel(platform).database.knex
  })
  after(() => platform[Symbol.asyncDispose]())

  it('with a page that takes long to read stops nobody', async () => {
    // What shrinks too much is no package.
    const noise = randomBytes(30_000).toString('base64')
    const bomb = `<!doctype html>${noise}${'<script>'.repeat(40_000)}${'<script'.repeat(40_000)}`
    const manifest = {
      ...{ scope: 'platform', capabilities: ['ui'], reasons: { ui: 'Shows it.' } },
      slots: [{ slot: 'page', id: 'book', entry: 'ui/page.html', title: text }],
    }
    await installAndEnable(platform.admin, await packSmall('acme.bomb', manifest, undefined, { 'ui/page.html': bomb }))
    const { pages } = dataOf(await one.owner.get('/plugins/slots')) as unknown as { pages: { url: string }[] }
    const cpuTime = countCpuTime()
    const { status } = await platform.test.api.get(pages[0]?.url ?? '')
    assert.equal(status, 200)
    assert.ok(cpuTime() < 1_000)
  })

  it('with answers that no captcha could judge leaves the captcha as it is', async () => {
    const manifest = {
      ...{ capabilities: ['captcha'], reasons: { captcha: 'Asks.' } },
      provides: { captcha: { code: 'strict', title: text, fallback: 'image' } },
    }
    const definition = `{ captcha: {
      challenge: () => ({ challenge: 'say please', state: 'please' }),
      verify({ solution, state }) {
        if (!/^[a-z]+$/.test(solution)) throw Object.assign(new Error('letters'), { name: 'PluginError', code: 'invalid' })
        return { valid: solution === state }
      },
    } }`
    await installAndEnable(platform.admin, await packSmall('acme.strict', manifest, definition))
    await useIn(platform, two, 'acme.strict')
    await configure(two.owner, 'tenant', 'tenant_captcha', { captcha_enabled: true, captcha_provider: 'strict' })
    const post = (path: string, body: object): Promise<Answer> =>
      platform.test.api.post(`/api/public/captcha/${path}`, { tenant_code: 'two', ...body })
    const { challenge_id } = dataOf(await post('challenge', {}))
    for (const solution of ['1', '2', '3', '4'])
      assert.deepEqual(dataOf(await post('verify', { challenge_id, solution })), { valid: false })
    assert.equal(dataOf(await post('challenge', {}))['provider_code'], 'strict')
    assert.equal(dataOf(await post('verify', { challenge_id, solution: 'please' }))['valid'], true)
  })

  it('with events of a tenant that is gone or closed reaches nobody, and least of all the platform', async () => {
    const manifest = {
      ...{ scope: 'platform', capabilities: ['events', 'db:own_tables'] },
      reasons: { events: 'Talks to itself.', 'db:own_tables': 'Remembers.' },
      events: { publish: ['acme.ear.said'], subscribe: ['acme.ear.said'] },
      db: { tables: ['heard'], migrations: 'migrations/' },
    }
    const definition = `{
      events: { 'acme.ear.said': ({ payload }, ctx, db) => db.table('heard').insert({ text: payload }) },
    }`
    const sql = 'create table heard (id bigserial primary key, text text not null);'
    await installAndEnable(
      platform.admin,
      await packSmall('acme.ear', manifest, definition, { 'migrations/0001_init.up.sql': sql }),
    )
    const { id: plugin_id } = await db('plugins').where({ name: 'acme.ear' }).first<{ id: number }>('id')
    dataOf(await platform.admin.put(`/admin/tenants/${two.id}`, { status: 'disabled' }))
    dataOf(await platform.admin.post('/admin/plugins/acme.ear/disable'))
    for (const tenant_id of [99_999, two.id, one.id]) {
      const row = { plugin_id, tenant_id, type: 'acme.ear.said', payload: JSON.stringify(`of ${tenant_id}`), hop: 1 }
      await db('plugin_events').queryContext(everybody).insert(row)
    }
    dataOf(await platform.admin.post('/admin/plugins/acme.ear/enable'))
    const waiting = async (): Promise<number[]> =>
      (await db('plugin_events')
        .queryContext(everybody)
        .where({ plugin_id, attempts: 0 })
        .pluck('tenant_id')) as number[]
    const left = async (): Promise<number> =>
      (await db('plugin_events').queryContext(everybody).where({ plugin_id }).whereNot({ tenant_id: two.id })).length
    await until(async () => (await left()) === 0)
    await until(async () => (await waiting()).includes(two.id))
    const table = `plg_${pluginHash8('acme.ear')}_heard`
    const heard: unknown = await db(table).queryContext(everybody).select('tenant_id', 'text')
    assert.deepEqual(heard, [{ tenant_id: one.id, text: `of ${one.id}` }])
  })

  it('finds no table with rows of tenants that row-level security leaves open, its own included', async () => {
    const { rows } = await db.raw<{ rows: { name: string }[] }>(`
      select relname as name from pg_class
        join pg_attribute on attrelid = pg_class.oid and attname = 'tenant_id' and not attisdropped
       where relkind in ('r', 'p') and relnamespace = current_schema()::regnamespace and not (
         relrowsecurity and relforcerowsecurity
         and (select count(*) from pg_policy where polrelid = pg_class.oid and polpermissive) = 1)
       order by relname`)
    assert.deepEqual(
      rows.map(({ name }) => name),
      [],
    )
  })
})
