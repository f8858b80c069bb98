// @both-back-ends
import assert from 'node:assert/strict'
import { chmod, mkdir, readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Knex } from 'knex'
import { generateFernetKey } from '#kernel'
import { tableName } from '#sandbox'
import { corePlugins } from '../../../core-plugins/index.ts'
import type { Api, Body } from '../../support/api.ts'
import { createTestDatabase } from '../../support/cluster.ts'
import { silentLog } from '../../support/kernel.ts'
import { migratedFor } from '../../support/migrated.ts'
import { dataOf, refusalOf, startPlatform, type Platform } from '../../support/platform.ts'
import { pluginRoles } from '../../support/plugin-roles.ts'
import { installAndEnable, packSmall, upload } from '../../support/small-plugin.ts'
import { until } from '../../support/until.ts'

const name = 'acme.mended'
const plugin = `/admin/plugins/${name}`
const table = tableName(name, 'notes')

describe('repairing a plugin', () => {
  let platform: Platform
  let admin: Api
  let knex: Knex
  let zip: Buffer

  before(async () => {
    platform = await startPlatform()
    admin = platform.admin
    knex = platform.host.kernel.database.knex
    const manifest = {
      capabilities: ['db:own_tables'],
      reasons: { 'db:own_tables': 'Keeps notes.' },
      db: { tables: ['notes'], migrations: 'migrations/' },
      admin_routes: [{ method: 'GET', path: '/notes', handler: 'list' }],
    }
    const list = `async list(_, ctx, db) { return { notes: await db.table('notes').count() } }`
    zip = await packSmall(name, manifest, `{ handlers: { ${list} } }`, {
      'migrations/0001_init.up.sql': 'create table notes (id serial primary key, message text);',
    })
    await installAndEnable(admin, zip)
  })
  after(() => platform[Symbol.asyncDispose]())

  const faultsOf = ({ findings }: Body): readonly string[] =>
    (findings as unknown as { check: string; ok: boolean; action: string }[])
      .filter(({ ok }) => !ok)
      .map(({ check, action }) => `${check} ${action}`)
  const look = async () => faultsOf(dataOf(await admin.post(`${plugin}/repair?dry_run=true`)))
  const mend = async () => faultsOf(dataOf(await admin.post(`${plugin}/repair`)))
  const works = async () => dataOf(await admin.get(`${plugin}/api/notes`))
  const folder = async () => {
    const packages = path.join(platform.host.dataDir, 'packages', name)
    return path.join(packages, String((await readdir(packages))[0]))
  }
  const damageFiles = async () => {
    const file = path.join(await folder(), 'dist', 'index.js')
    await chmod(path.dirname(file), 0o755)
    await chmod(file, 0o644)
    await writeFile(file, 'export default { handlers: { list: () => "another" } }')
  }

  it('finds nothing about one that is whole, and leaves it running', async () => {
    assert.deepEqual(await look(), [])
    assert.deepEqual(await mend(), [])
    assert.deepEqual(await works(), { notes: 0 })
    const { items } = dataOf(await admin.get('/admin/audit-logs?limit=5')) as unknown as { items: { action: string }[] }
    assert.ok(items.some(({ action }) => action === 'plugin.repaired'))
    const log = dataOf(await admin.get(`${plugin}/operations?kind=repair`)) as unknown as {
      items: { steps: { step: string; result: unknown }[] }[]
    }
    const unpack = log.items[0]?.steps.find(({ step }) => step === 'unpack')
    assert.deepEqual(unpack?.result, { unpacked: true })
  })

  it('unpacks changed files again, grants its role and fences its tables anew, drops what no release knows', async () => {
    await damageFiles()
    const stray = tableName(name, 'forgotten')
    await knex.raw('create table ?? (id integer)', [stray])
    await knex.raw('alter table ?? no force row level security', [table])
    const [role] = await pluginRoles(knex)
    await knex.raw('revoke insert on ?? from ??', [table, String(role)])
    const lost = path.join(await folder(), '..', '0.9.0-000000000000')
    await mkdir(lost)
    const expected = ['files unpacked_again', 'fences fenced', 'role granted', 'strays dropped']
    assert.deepEqual(await look(), expected)
    const mended = dataOf(await admin.post(`${plugin}/repair`))
    assert.deepEqual([faultsOf(mended), mended['status']], [expected, 'enabled'])
    // What was mended asks for nothing.
    assert.doesNotMatch(JSON.stringify(mended['findings']), /Upload/)
    assert.deepEqual(await look(), [])
    assert.equal((await readdir(path.dirname(lost))).length, 1)
    assert.deepEqual(await works(), { notes: 0 })
  })

  it('makes tables that are all gone again, empty', async () => {
    await knex.raw('drop table ??', [table])
    assert.deepEqual(await mend(), ['tables made_empty'])
    assert.deepEqual(await works(), { notes: 0 })
  })

  it('says what to do when the package is damaged everywhere, and the same package mends it', async () => {
    await damageFiles()
    await knex('plugin_release_chunks').update({ bytes: Buffer.from('no zip') })
    const broken = dataOf(await admin.post(`${plugin}/repair`))
    assert.deepEqual(faultsOf(broken).slice(0, 2), ['package manual', 'files manual'])
    assert.equal(faultsOf(broken).filter((fault) => fault.startsWith('files')).length, 1)
    assert.equal(broken['status'], 'broken')
    assert.match(broken['reason'] as unknown as string, /Upload the package of acme\.mended 1\.0\.0 again/)
    const chinese = { headers: { 'accept-language': 'zh-CN' } }
    const remedy = '请重新上传 acme.mended 1.0.0 的安装包'
    assert.equal(dataOf(await admin.get(plugin, chinese))['reason'], `安装包已损坏。${remedy}`)
    const seen = dataOf(await admin.post(`${plugin}/repair?dry_run=true`, undefined, chinese))['findings']
    const details = (seen as unknown as readonly Body[]).map(({ detail }) => detail as unknown)
    assert.deepEqual(details.slice(0, 2), [`安装包已损坏。${remedy}`, remedy])
    assert.equal(refusalOf(await admin.get(`${plugin}/api/notes`)).code, 4044)
    assert.equal(refusalOf(await admin.post(`${plugin}/sync-manifest`)).reason, 'plugin_status')
    assert.equal(dataOf(await upload(admin, zip), 201)['status'], 'enabled')
    assert.deepEqual(await look(), [])
    assert.deepEqual(await works(), { notes: 0 })
  })

  it('is refused for a plugin that is not there', async () => {
    assert.equal(refusalOf(await admin.post('/plugins/acme.nothing/repair')).code, 4046)
  })

  it('orphans are listed with what they have until they are cleaned up', async () => {
    assert.deepEqual(dataOf(await admin.get('/plugins/orphans'))['items'], [])
    await knex('plugins').where({ name }).delete()
    await knex('access_menus').insert({ name: `plugin.${name}.notes`, sort: 1 })
    const role = { code: 'noter', name: 'Noter', permissions: [`platform_plugin:list`] }
    dataOf(await admin.post('/admin/roles', role), 201)
    const held = ['platform_plugin:list', `plugin.${name}:read`]
    await knex('access_roles').where({ code: 'noter' }).update({ permissions: held }).queryContext({ tenant: 'all' })
    const [orphan] = dataOf(await admin.get('/admin/plugins/orphans'))['items'] as unknown as Record<string, unknown>[]
    assert.deepEqual(
      [orphan?.['name'], orphan?.['tables'], orphan?.['releases'], (orphan?.['roles'] as string[]).length],
      [name, [table], ['1.0.0'], 1],
    )
    const counts = [orphan?.['bindings'], orphan?.['menus'], orphan?.['preferences'], orphan?.['drafts']]
    assert.deepEqual(counts, [1, 1, 0, 0])
    dataOf(await admin.delete(`${plugin}/force-cleanup?purge=true`))
    assert.deepEqual(dataOf(await admin.get('/plugins/orphans'))['items'], [])
  })
})

describe('a plugin whose package is gone', () => {
  it('is marked at the next start, and runs again when the package is uploaded', async () => {
    await using database = await createTestDatabase(migratedFor(corePlugins, silentLog))
    const env = { APP_SECRET: 's'.repeat(32), CONFIG_FERNET_KEYS: generateFernetKey() }
    const options = { databaseUrl: database.url, env }
    const zip = await packSmall('acme.lost')
    {
      await using first = await startPlatform(options)
      await installAndEnable(first.admin, zip)
      await first.host.kernel.database.knex('plugin_release_chunks').delete()
    }
    // With a data folder of its own, so that nothing is unpacked there.
    await using second = await startPlatform(options)
    const statusOf = async () => dataOf(await second.admin.get('/plugins/acme.lost'))['status'] as unknown as string
    await until(async () => (await statusOf()) === 'orphaned')
    assert.equal(refusalOf(await second.admin.post('/plugins/acme.lost/enable')).reason, 'plugin_status')
    dataOf(await upload(second.admin, zip), 201)
    assert.equal(await statusOf(), 'installed')
    assert.equal(dataOf(await second.admin.post('/plugins/acme.lost/enable'))['status'], 'enabled')
  })
})
