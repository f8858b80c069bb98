import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto'
import type { Knex } from 'knex'
import { sandboxLimits } from '../../limits.ts'
import { pluginHash8, tableName } from '../../manifest/names.ts'

/** Every host has a small pool of its own. */
const hosts = 16
const iterations = 4_096

/** The name of a plugin's login role. Roles belong to the whole server, so each database has its own. */
export function pluginRoleName(plugin: string, database: string): string {
  return `plg_${pluginHash8(plugin)}_${createHash('sha256').update(database).digest('hex').slice(0, 8)}`
}

/** Makes the plugin's login role, or gives the one there is this password: it may log in, and nothing else. */
export async function createPluginRole(trx: Knex, plugin: string, password: string): Promise<void> {
  const role = await roleNameHere(trx, plugin)
  const limit = hosts * sandboxLimits.connections.max
  const exists = await hasRole(trx, role)
  const settings = {
    statement_timeout: sandboxLimits.statementMs.default,
    lock_timeout: sandboxLimits.statementMs.default,
    idle_in_transaction_session_timeout: sandboxLimits.transactionMs.default * 2,
  }
  const statements = [
    // A new role may make no databases anyway, and from PostgreSQL 16 on to say so again needs the right oneself.
    `${exists ? 'alter' : 'create'} role ?? login noinherit nocreaterole
     connection limit ${limit} password '${scramVerifier(password)}'`,
    ...Object.entries(settings).map(([name, milliseconds]) => `alter role ?? set ${name} = ${milliseconds}`),
    `alter role ?? set timezone = 'UTC'`,
  ]
  // Together: each would wait for the server.
  await trx.raw(
    statements.join(';\n'),
    statements.map(() => role),
  )
}

/** Lets the role read and write rows of these tables, by short name, and of no others. */
export async function grantTables(trx: Knex, plugin: string, tables: readonly string[]): Promise<void> {
  const role = await roleNameHere(trx, plugin)
  const wanted = tables.map((short) => tableName(plugin, short))
  const held = await heldTables(trx, role)
  for (const table of held.filter((name) => !wanted.includes(name))) await revoke(trx, role, table)
  if (wanted.length === 0) return
  const places = wanted.map(() => '??').join(', ')
  await trx.raw(`grant select, insert, update, delete on ${places} to ??`, [...wanted, role])
}

/** Takes the role away with all it was granted; a role that does not exist is fine. Answers whether there was one. */
export async function dropPluginRole(trx: Knex, plugin: string): Promise<boolean> {
  const role = await roleNameHere(trx, plugin)
  if (!(await hasRole(trx, role))) return false
  for (const table of await heldTables(trx, role)) await revoke(trx, role, table)
  await trx.raw('drop role ??', [role])
  return true
}

async function roleNameHere(trx: Knex, plugin: string): Promise<string> {
  const answer = await trx.raw<{ rows: [{ name: string }] }>('select current_database() as name')
  return pluginRoleName(plugin, answer.rows[0].name)
}

async function hasRole(trx: Knex, role: string): Promise<boolean> {
  const answer = await trx.raw<{ rows: unknown[] }>('select 1 from pg_roles where rolname = ?', [role])
  return answer.rows.length > 0
}

async function heldTables(trx: Knex, role: string): Promise<readonly string[]> {
  const answer = await trx.raw<{ rows: { table: string }[] }>(
    `select distinct c.relname as table
       from pg_class c, aclexplode(c.relacl) a join pg_roles r on r.oid = a.grantee
      where r.rolname = ? and c.relnamespace = to_regnamespace(current_schema())`,
    [role],
  )
  return answer.rows.map(({ table }) => table)
}

async function revoke(trx: Knex, role: string, table: string): Promise<void> {
  await trx.raw('revoke all on ?? from ??', [table, role])
}

/** The server is handed a verifier, so that no log of its statements has the password. */
function scramVerifier(password: string): string {
  const salt = randomBytes(16)
  const salted = pbkdf2Sync(password, salt, iterations, 32, 'sha256')
  const sign = (text: string): Buffer => createHmac('sha256', salted).update(text).digest()
  const storedKey = createHash('sha256').update(sign('Client Key')).digest('base64')
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${storedKey}:${sign('Server Key').toString('base64')}`
}
