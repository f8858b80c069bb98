import type { Knex } from 'knex'
import { openDatabase } from '../../kernel/data/database.ts'
import { withLogin } from '../../kernel/data/connection.ts'
import { enableTenantRows } from '../../kernel/data/tenant-rows.ts'
import type { CapabilityOperations } from '../../sandbox/broker/capability.ts'
import { createDatabaseCapability } from '../../sandbox/broker/database.ts'
import {
  createPluginRole,
  dropPluginRole,
  grantTables,
  pluginRoleName,
} from '../../sandbox/broker/database/plugin-role.ts'
import { RolePools } from '../../sandbox/broker/database/role-pools.ts'
import { compileMigration } from '../../sandbox/migrations/compile-migration.ts'
import { createTestDatabase } from '../support/cluster.ts'
import { recordingLog } from '../support/recording-log.ts'
import { grantsOf } from './capabilities-call.ts'

const plugin = 'acme.notes'
const longPassword = 'a-password-of-the-plugin-that-is-long-enough'
const tables = `
  create table notes (
    id serial primary key, title text not null, stars integer default 0, price numeric(10,2), big bigint,
    done boolean not null default false, tags text[], data jsonb, photo bytea, made timestamptz, day date,
    check (stars >= 0)
  );
  create unique index notes_title on notes (title);
  create table lines (id serial primary key, note integer not null, amount double precision, page text);
  create table times (
    id serial primary key, name text, made timestamptz, local timestamp, moments timestamp with time zone[], bigs bigint[]
  );
`

/** A plugin with tables of its own on a database of its own. */
export interface DatabasePlugin extends AsyncDisposable {
  readonly knex: Knex
  readonly pools: RolePools
  readonly capability: CapabilityOperations
  /** The database under the plugin's role. */
  readonly roleUrl: string
  dropRole(): Promise<boolean>
}

/** Makes the tables of `acme.notes` as an installation does, and a table that is not its own. */
export async function startDatabasePlugin(idleMs = 60_000): Promise<DatabasePlugin> {
  await using started = new AsyncDisposableStack()
  const { log } = recordingLog()
  const { url } = started.use(await createTestDatabase())
  const { knex } = started.use(await openDatabase({ url, poolSize: 4, log }))
  await knex.schema.createTable('secrets', (table) => table.text('secret'))
  await knex.transaction(async (trx) => {
    await createPluginRole(trx, plugin, longPassword)
    for (const step of compileMigration(tables, { plugin: plugin, tables: [] }).steps) {
      if ('enableTenantRows' in step) await enableTenantRows(trx, step.enableTenantRows)
      else await trx.raw(step.sql)
    }
    await grantTables(trx, plugin, ['notes', 'lines', 'times'])
  })
  const urlFor = (user: string, password: string): string => withLogin(url, user, password)
  const pools = started.use(new RolePools({ urlFor, password: () => longPassword, log, idleMs }))
  const capability = createDatabaseCapability(pools, plugin, grantsOf({ tables: ['notes', 'lines', 'times'] }))
  const role = pluginRoleName(plugin, new URL(url).pathname.slice(1))
  const dropRole = (): Promise<boolean> => knex.transaction((trx) => dropPluginRole(trx, plugin))
  started.defer(async () => {
    await pools.close(plugin)
    await dropRole()
  })
  const stack = started.move()
  return {
    ...{ knex, pools, capability, dropRole },
    roleUrl: urlFor(role, longPassword),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}
