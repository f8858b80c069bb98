import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { pluginHash8 } from '#sandbox'
import type { Api, Body } from '../../support/api.ts'
import { dataOf, refusalOf, startPlatform, type Platform } from '../../support/platform.ts'
import { pluginRoles } from '../../support/plugin-roles.ts'
import { packSmall, upload } from '../../support/small-plugin.ts'

describe('a plugin package that is refused', () => {
  let platform: Platform
  let admin: Api

  before(async () => {
    platform = await startPlatform()
    admin = platform.admin
  })
  after(() => platform[Symbol.asyncDispose]())

  const double = 'insert into notes (body) select body from notes; '
  const table = { db: { tables: ['notes'], migrations: 'migrations/' }, capabilities: ['db:own_tables'] }
  const reasons = { reasons: { 'db:own_tables': 'Keeps notes.' } }
  const packNotes = (sql: string) =>
    packSmall('acme.broken', { ...table, ...reasons }, '{ handlers: {} }', {
      'migrations/0001_init.up.sql': `create table notes (id serial primary key, n integer check (n > 0), body text); ${sql}`,
    })
  const refused: readonly {
    what: string
    zip: () => Promise<Buffer>
    is: { status: number; code: number; reason: string }
    field?: string
  }[] = [
    {
      what: 'no archive',
      zip: () => Promise.resolve(Buffer.from('not a zip')),
      is: { status: 400, code: 4009, reason: 'package_invalid' },
    },
    {
      what: 'a module that does not evaluate',
      zip: () => packSmall('acme.broken', {}, '{ handlers: {} }; throw new Error("at the top")'),
      is: { status: 400, code: 4009, reason: 'plugin_not_loadable' },
    },
    {
      what: 'a handler that is not there',
      zip: () => packSmall('acme.broken', { tenant_routes: [{ method: 'GET', path: '/x', handler: 'missing' }] }),
      is: { status: 400, code: 4009, reason: 'plugin_not_loadable' },
    },
    {
      what: 'a self-test that fails',
      zip: () =>
        packSmall(
          'acme.broken',
          { hooks: { selfTest: 'check' } },
          '{ handlers: {}, hooks: { check() { throw new Error("no") } } }',
        ),
      is: { status: 400, code: 4009, reason: 'plugin_not_loadable' },
    },
    {
      what: 'a migration of a few kilobytes that would fill the database',
      zip: () => packNotes(`insert into notes (body) values ('${'x'.repeat(50_000)}'); ${double.repeat(15)}`),
      is: { status: 400, code: 4009, reason: 'migration_refused' },
    },
    {
      what: 'a plugin for another host',
      zip: () => packSmall('acme.broken', { engines: { host: '>=99.0.0' } }),
      is: { status: 400, code: 4009, reason: 'plugin_incompatible' },
    },
    {
      what: 'a plugin that needs one that is not there',
      zip: () => packSmall('acme.broken', { requires: { 'acme.absent': '^1.0.0' } }),
      is: { status: 400, code: 4009, reason: 'plugin_incompatible' },
    },
    {
      what: 'a file under another name',
      zip: () => packSmall('acme.broken'),
      field: 'package',
      is: { status: 422, code: 4220, reason: 'validation_failed' },
    },
  ]

  for (const { what, zip, is, field } of refused) {
    it(`leaves nothing: ${what}`, async () => {
      const before = await whatIsThere(platform)
      assert.deepEqual(refusalOf(await upload(admin, await zip(), field)), is)
      assert.deepEqual(await whatIsThere(platform), before)
    })
  }

  it('has made no table, role or row before it is allowed, and leaves none when its migration fails then', async () => {
    const before = await whatIsThere(platform)
    const made = async () => {
      const { tables, roles, counts } = await whatIsThere(platform)
      return [tables, roles, counts['plugin_migrations'], counts['plugin_grants']]
    }
    const none = await made()
    const uploaded = dataOf(await upload(admin, await packNotes('insert into notes (n) values (-1);')), 201)
    assert.equal(uploaded['status'], 'awaiting_consent')
    assert.deepEqual(await made(), none)
    const repaired = dataOf(await admin.post('/plugins/acme.broken/repair'))
    assert.deepEqual([(repaired['plugin'] ?? repaired)['status'], await made()], ['awaiting_consent', none])
    const { release_hash, diff_hash } = uploaded['consent'] as Body
    const answer = { accept: true, release_hash, diff_hash }
    const failed = { status: 400, code: 4009, reason: 'plugin_migration_failed' }
    assert.deepEqual(refusalOf(await admin.post('/plugins/acme.broken/consent', answer)), failed)
    assert.deepEqual(await made(), none)
    assert.equal(dataOf(await admin.get('/plugins/acme.broken'))['status'], 'awaiting_consent')
    dataOf(await admin.delete('/plugins/acme.broken?purge=true'))
    assert.deepEqual(await whatIsThere(platform), before)
  })

  it('has its tables once it was allowed', async () => {
    const uploaded = dataOf(await upload(admin, await packNotes(`insert into notes (n) values (1); ${double}`)), 201)
    const { release_hash, diff_hash } = uploaded['consent'] as Body
    dataOf(await admin.post('/plugins/acme.broken/consent', { accept: true, release_hash, diff_hash }))
    const { tables, roles, counts } = await whatIsThere(platform)
    assert.deepEqual([tables.length, roles.length, counts['plugin_migrations']], [1, 1, 1])
    dataOf(await admin.post('/plugins/acme.broken/enable'))
    dataOf(await admin.delete('/plugins/acme.broken?purge=true'))
  })

  it('an upload without a file, and one that is no multipart, is refused', async () => {
    const boundary = { 'content-type': 'multipart/form-data; boundary=x' }
    const empty = await admin.call('POST', '/plugins/upload', { headers: boundary, body: '--x--\r\n' })
    assert.equal(empty.body['code'], 4220)
    assert.equal((await admin.post('/plugins/upload', { file: 'zip' })).status, 415)
  })

  it('a plugin under an operation answers 409 with who, what and since when', async () => {
    dataOf(await upload(admin, await packSmall('acme.busy')), 201)
    const { knex } = platform.host.kernel.database
    const id = randomUUID()
    const holder = randomUUID()
    // The lease first: what nobody holds is ended by whoever finds it.
    await knex('plugin_locks').insert({
      plugin: 'acme.busy',
      operation_id: id,
      holder,
      fencing: 0,
      expires_at: knex.raw(`now() + interval '1 minute'`),
    })
    await knex('plugin_operations').insert({ id, plugin: 'acme.busy', kind: 'disable', step: 'converge', fencing: 0 })
    const busy = await admin.post('/plugins/acme.busy/enable')
    assert.deepEqual(refusalOf(busy), { status: 409, code: 4092, reason: 'operation_in_progress' })
    const { started_at: since, ...details } = busy.body['details'] as unknown as Record<string, string>
    assert.deepEqual(details, { operation: 'disable', step: 'converge', holder })
    assert.ok(Number.isFinite(Date.parse(String(since))))
    for (const answer of [
      await admin.delete('/plugins/acme.busy'),
      await admin.post('/plugins/acme.busy/sync-manifest'),
      await upload(admin, await packSmall('acme.busy')),
    ]) {
      assert.equal(refusalOf(answer).code, 4092)
    }
    await knex('plugin_operations').where({ id }).delete()
    await knex('plugin_locks').where({ plugin: 'acme.busy' }).delete()
    dataOf(await admin.delete('/plugins/acme.busy?purge=true'))
  })

  it('a name that would share the tables of an installed plugin is refused, and cleans up nothing of it', async () => {
    const [first, second] = namesOfOneHash()
    dataOf(await upload(admin, await packSmall(first)), 201)
    const before = await whatIsThere(platform)
    const refused = await upload(admin, await packSmall(second))
    assert.deepEqual(refusalOf(refused), { status: 400, code: 4009, reason: 'plugin_incompatible' })
    const [fault] = refused.body['errors'] as unknown as { field: string; rule: string }[]
    assert.deepEqual([fault?.field, fault?.rule], ['name', 'taken'])
    assert.equal(refusalOf(await admin.delete(`/plugins/${second}/force-cleanup`)).code, 4046)
    assert.deepEqual(await whatIsThere(platform), before)
    dataOf(await admin.delete(`/plugins/${first}?purge=true`))
  })

  it('of two uploads of one package at once exactly one wins', async () => {
    const zip = await packSmall('acme.twice')
    const answers = await Promise.all([upload(admin, zip), upload(admin, zip)])
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409])
    dataOf(await admin.delete('/plugins/acme.twice?purge=true'))
  })
})

/** Two names whose hashes begin alike: among some 80,000 there are such two. */
function namesOfOneHash(): readonly [string, string] {
  const seen = new Map<string, string>()
  for (let number = 0; ; number++) {
    const name = `acme.twin${number}`
    const other = seen.get(pluginHash8(name))
    if (other !== undefined) return [other, name]
    seen.set(pluginHash8(name), name)
  }
}

const own = ['plugin_migrations', 'plugin_grants']

async function whatIsThere({ host }: Platform) {
  const { knex } = host.kernel.database
  const counts: Record<string, number> = {}
  for (const table of ['plugins', 'plugin_releases', 'plugin_release_chunks', 'plugin_locks', ...own]) {
    const { count } = await knex(table).first<{ count: string }>(knex.raw('count(*)'))
    counts[table] = Number(count)
  }
  const tables = await knex('pg_tables').whereLike('tablename', 'plg\\_%').select<object[]>('tablename')
  const roles = await pluginRoles(knex)
  const files = await Promise.all(
    ['packages', 'staging'].map((folder) =>
      readdir(path.join(host.dataDir, folder), { recursive: true }).catch(() => []),
    ),
  )
  return { counts, tables, roles, files, registered: host.kernel.registered() }
}
