import knex from 'knex'
import type { Knex } from 'knex'
import { StartError } from '../start-error.ts'
import type { Logger } from '../log.ts'
import { codeOf } from './surroundings.ts'
import { silence } from './open-connection.ts'
import { OwnTime } from './own-time.ts'
import { SilenceWatch } from './silence-watch.ts'
import { createTenantClient } from './tenant-client.ts'
import { longestIdleMs } from './transaction-time.ts'

export { tenantContext } from './tenant-context.ts'

/** The platform's connection pool. */
export interface Database extends AsyncDisposable {
  readonly knex: Knex
}

/** How the pool is opened. */
interface DatabaseOptions {
  readonly url: string
  readonly poolSize: number
  readonly log: Logger
  /** Shown in pg_stat_activity; `stoa` unless said otherwise. */
  readonly applicationName?: string
  /** How long a query waits for a free connection; 10 s unless said otherwise. */
  readonly acquireTimeoutMs?: number
  /** How long a statement may take before the server ends it, unless its transaction says otherwise; 30 s. */
  readonly statementMs?: number
  /** After which the server ends a transaction whose host stands still: 25 s, before others have waited 30 s for its locks. */
  readonly idleTransactionMs?: number
  /** Whose login role it is: the platform's, unless said otherwise, is checked for the rights it needs. */
  readonly role?: 'platform' | 'plugin'
}

const oldestVersion = 14
/** The limits of knex' pool run on the clock; ours do not, and come before. */
const neverMs = 24 * 60 * 60_000
/** How often a start tries before it gives up on a server that says nothing. */
const startTries = 5
/** The server ends sessions of hosts that are gone after 25 s, and with them the locks that they hold. */
const keepalives = '-c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3'

/** Opens the pool and checks that the server and the role are fit for it; a StartError says what is not. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const { url, poolSize, log, applicationName = 'stoa', role = 'platform' } = options
  const { acquireTimeoutMs = 10_000, statementMs = 30_000, idleTransactionMs = longestIdleMs } = options
  await using opened = new AsyncDisposableStack()
  const server = { connectionString: url, application_name: applicationName }
  const db = knex({
    client: createTenantClient(opened.use(new SilenceWatch(server, statementMs)), {
      ownTime: opened.use(new OwnTime()),
      acquireMs: acquireTimeoutMs,
    }),
    connection: {
      ...{ ...server, options: keepalives, statement_timeout: statementMs },
      ...(role === 'platform' && { idle_in_transaction_session_timeout: idleTransactionMs }),
      ...{ keepAlive: true, keepAliveInitialDelayMillis: 10_000 },
    },
    // All that knex asks it for; unknown, it would ask each server once.
    version: String(oldestVersion),
    pool: { min: 0, max: poolSize, idleTimeoutMillis: 30_000, createTimeoutMillis: neverMs },
    acquireConnectionTimeout: neverMs,
    // Bindings may be secrets, and error messages reach the log.
    compileSqlOnError: false,
    log: knexLog(log),
  })
  opened.defer(() => db.destroy())
  if (role === 'platform') await checkServer(db)
  const close = opened.move()
  return { knex: db, [Symbol.asyncDispose]: () => close.disposeAsync() }
}

interface ServerFacts {
  readonly version: number
  readonly role: string
  readonly superuser: boolean
  readonly bypasses: boolean
  readonly creates_roles: boolean
  readonly creates_tables: boolean
}

async function checkServer(db: Knex): Promise<void> {
  const facts = await readFacts(db)
  const major = Math.floor(facts.version / 10_000)
  const fault =
    (major < oldestVersion && `The database is PostgreSQL ${major}: version ${oldestVersion} or later is needed`) ||
    (facts.superuser && `The database role ${facts.role} is a superuser: row-level security does not bind it`) ||
    (facts.bypasses && `The database role ${facts.role} has BYPASSRLS: row-level security does not bind it`) ||
    (!facts.creates_roles && `The database role ${facts.role} needs CREATEROLE, for the roles of plugins`) ||
    (!facts.creates_tables && `The database role ${facts.role} may not create tables: make it the database's owner`)
  if (fault) throw new StartError(fault)
}

async function readFacts(db: Knex, tries = startTries): Promise<ServerFacts> {
  try {
    const answer = await db.raw<{ rows: [ServerFacts] }>(
      `select current_setting('server_version_num')::int as version, rolname as role, rolsuper as superuser,
              rolbypassrls as bypasses, rolcreaterole as creates_roles,
              coalesce(has_schema_privilege(current_schema(), 'create'), false) as creates_tables
         from pg_roles where rolname = current_user`,
    )
    return answer.rows[0]
  } catch (error) {
    const reason = error instanceof Error && error.cause instanceof Error ? error.cause : (error as Error)
    if (isSilence(reason) && tries > 1) return readFacts(db, tries - 1)
    const words = isSilence(reason) ? 'it does not answer' : reason.message || codeOf(reason) || reason.name
    throw new StartError(`The database cannot be reached: ${words}`, { cause: error })
  }
}

function isSilence({ message }: Error): boolean {
  return message === silence
}

function knexLog(log: Logger): Knex.Logger {
  return {
    debug: (message: unknown) => log.debug({ detail: message }, 'knex'),
    // What knex warns of are connections that cannot be had or broke: whoever needed them is told, and says so in one line.
    warn: (message: unknown) => log.debug({ detail: message }, 'knex'),
    error: (message: unknown) => log.error({ detail: message }, 'knex'),
    deprecate: (message: unknown) => log.debug({ detail: message }, 'knex'),
  }
}
