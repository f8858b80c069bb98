import { deepEqual, equal, ok, rejects, throws } from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import {
  checkManifestFiles,
  compileMigrations,
  sandboxLimits,
  tableName,
  type LimitName,
  type MigrationStep,
  type PluginManifest,
} from '#sandbox'
import type { Knex } from 'knex'
import { createOwnTables, listOwnTables } from '../../core-plugins/plugins/tables/own-tables.ts'
import { startDatabasePlugin } from './capabilities-database-plugin.ts'
import { callLimits, type LimitCase } from './limits-cases.ts'
import { httpLimits, tableLimits } from './limits-cases-outside.ts'
import { elsewhere } from './limits-elsewhere.ts'
import { releaseOf, startLimitsWorld, told, type LimitsWorld } from './limits-world.ts'
import { grantsFor, startPluginWorld } from './plugin-world.ts'

type Cases = Partial<Record<LimitName, LimitCase>>

const cases = (port: number, silentPort: number): Cases => ({
  ...callLimits,
  ...httpLimits(port, silentPort),
  ...tableLimits,
})
const names = Object.keys(cases(0, 0)) as LimitName[]
/** Reached below, without a guest or with a sandbox host of their own. */
const below = [
  'laneMemoryMb',
  'iconBytes',
  'readmeBytes',
  'localeBytes',
  'migrations',
  'migrationBytes',
  'migrationMs',
  'migrationMb',
]
const root = path.join(import.meta.dirname, '..', '..')

describe('every limit of a plugin', () => {
  let world: LimitsWorld
  let all: Cases

  before(async () => {
    world = await startLimitsWorld({
      guests(...ports) {
        all = cases(...ports)
        return { warm: '() => 1', ...Object.fromEntries(Object.entries(all).map(([name, { guest }]) => [name, guest])) }
      },
      hooks: { disable: 'jobCpuMs', enable: 'hookWallMs', uninstall: 'uninstallHookWallMs' },
    })
  })
  after(() => world[Symbol.asyncDispose]())

  for (const name of names) {
    it(`ends at its bound, and says so: ${name}`, async () => {
      const { limits, expected, run = (own: LimitsWorld) => own.call(name) } = all[name] ?? { limits: {}, expected: 0 }
      // What a call costs to begin is not what the test is about.
      world.set({})
      await world.call('warm')
      world.set(limits)
      deepEqual(await run(world, name), expected)
    })
  }

  it('is reached by a test', async () => {
    const reached = [...names, ...Object.keys(elsewhere), ...below].sort()
    deepEqual(reached, Object.keys(sandboxLimits).sort())
    for (const [name, [file, words]] of Object.entries(elsewhere)) {
      ok((await readFile(path.join(root, file), 'utf8')).includes(words), `${name} in ${file}`)
    }
  })

  it('of migrations ends them', async () => {
    const { knex } = world.database
    const slow = { id: '0001_slow', up: [{ line: 1, sql: 'select pg_sleep(5)' }], down: undefined }
    const manifest = { name: 'acme.slow', version: '1.0.0', db: { tables: [] } } as unknown as PluginManifest
    const plugin = { manifest, migrations: [slow] }
    const create = async (trx: Knex.Transaction) => {
      // As the platform has it, for as long as it is looked at.
      await trx.raw('create temporary table plugin_migrations (plugin text, migration text, version text, hash text)')
      await createOwnTables(trx, plugin, 'a-password-that-is-long-enough', { milliseconds: 100 })
    }
    await rejects(knex.transaction(create), { code: 4009, reason: 'plugin_migration_failed' })
  })
})

describe('what migrations add to the tables of a plugin', () => {
  const name = 'acme.large'
  const table = tableName(name, 'rows')
  const create = { line: 1, sql: `create table ${table} (tenant_id integer, body text)` }
  const insert = { line: 1, sql: `insert into ${table} select 0, md5(n::text) from generate_series(1, 30000) n` }
  const update = { line: 1, sql: `update ${table} set body = 'x'` }

  async function refused(steps: readonly MigrationStep[]): Promise<unknown> {
    await using world = await startDatabasePlugin()
    const manifest = { name, version: '1.0.0', db: { tables: ['rows'] } } as unknown as PluginManifest
    const plugin = { manifest, migrations: [{ id: '0001_a', up: steps, down: undefined }] }
    const run = world.knex.transaction(async (trx) => {
      await trx.raw('create temporary table plugin_migrations (plugin text, migration text, version text, hash text)')
      await createOwnTables(trx, plugin, 'a-password-that-is-long-enough', { megabytes: 1 })
    })
    const answer = await run.then(
      () => undefined,
      ({ code, reason, details }: { code: number; reason: string; details: { limit: string } }) => [
        ...[code, reason, details.limit],
      ],
    )
    deepEqual(await listOwnTables(world.knex, name), [])
    return answer
  }
  const tooLarge = [4009, 'plugin_migration_too_large', 'migrationMb']

  it('is looked at between two steps, and nothing of it is kept', async () => {
    deepEqual(await refused([create, insert, { line: 1, sql: 'select 1 / 0' }]), tooLarge)
  })

  it('is foreseen from the rows that there are', async () => {
    const few = { line: 1, sql: insert.sql.replace('30000', '3000') }
    const growth = { from: table, bytes: 1_000, copies: 1 }
    deepEqual(await refused([create, few, { ...update, growth }, { line: 1, sql: 'select 1 / 0' }]), tooLarge)
  })
})

describe('the limits of the memory of a sandbox host', () => {
  it('ends what takes more', async () => {
    await using world = await startPluginWorld({ laneMemoryMb: 40, memoryMb: 256, cpuMs: 5_000 })
    const take = '() => { const kept = []; for (;;) kept.push(new Array(100_000).fill(1.5)) }'
    const release = await releaseOf(world, take)
    const call = { release, grants: grantsFor(release), input: '{}', target: { kind: 'handler', name: 'run' } } as const
    const began = performance.now()
    equal(await world.sandbox.answer(call).catch(told), '5008 sandbox_failed memory')
    ok(performance.now() - began < 10_000)
    ok(Object.keys(world.sandbox.metering.pool().kills).length > 0, 'the sandbox host was not ended')
  })
})

describe('the limits of the files of a package', () => {
  const manifest = { main: 'm', icon: 'i', readme: { default: 'r' }, locales: ['fr'] } as unknown as PluginManifest

  it('are told by the field that names the file', () => {
    const sizes = new Map([
      ...([['m', 1]] as const),
      ...([['i', sandboxLimits.iconBytes.max + 1]] as const),
      ...([['r', sandboxLimits.readmeBytes.max + 1]] as const),
      ...([['locales/fr.json', sandboxLimits.localeBytes.max + 1]] as const),
    ])
    throws(
      () => checkManifestFiles(manifest, sizes),
      ({ errors }: { errors: { field: string; rule: string }[] }) => {
        deepEqual(
          errors.map(({ field, rule }) => `${field} ${rule}`),
          ['icon size', 'readme.default size', 'locales.0 size'],
        )
        return true
      },
    )
  })

  it('are told of migrations, by number and by size', async () => {
    const plugin = { plugin: 'acme.notes', tables: [] }
    const file = (index: number, size: number) => ({
      path: `migrations/${String(index).padStart(4, '0')}_a.up.sql`,
      size,
      read: () => Promise.resolve(Buffer.from('')),
    })
    const many = Array.from({ length: sandboxLimits.migrations.max + 1 }, (_, index) => file(index, 0))
    const refused = { code: 4009, reason: 'migration_refused' }
    await rejects(compileMigrations(plugin, many), refused)
    await rejects(compileMigrations(plugin, [file(1, sandboxLimits.migrationBytes.max + 1)]), refused)
  })
})
