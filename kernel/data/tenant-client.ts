import knex from 'knex'
import type { Knex } from 'knex'
import { UnavailableError } from '../errors.ts'
import { DatabaseError } from './errors.ts'
import { tenantSetting } from './tenant-context.ts'

type Query = string | { readonly sql: string; readonly queryContext?: unknown }
interface QueryResult {
  readonly response?: { readonly command?: string | null }
}

/** What a pooled connection was last told, and the end of its last query; an undefined setting is not known. */
interface Session {
  setting: string | undefined
  turn: Promise<unknown>
}

const PostgresClient = (knex({ client: 'pg' }).client as object).constructor as typeof Knex.Client
const sessions = new WeakMap<object, Session>()

/** A PostgreSQL client of knex whose connections remember their tenant and are told only when it changes. */
export class TenantClient extends PostgresClient {
  /** Runs a query as the tenant of its context; queries of one connection wait for each other, so no tenant can slip between. */
  override query(connection: object, query: Query): Promise<QueryResult> {
    const session = sessionOf(connection)
    const send = (text: Query | TellTenant): Promise<QueryResult> =>
      super.query(connection, text) as Promise<QueryResult>
    const result = session.turn.then(() => runAs(session, query, send))
    session.turn = result.catch((error: unknown) => discardIfLost(connection, error))
    return result
  }

  override async acquireConnection(): Promise<object> {
    try {
      return (await super.acquireConnection()) as object
    } catch (cause) {
      throw cause instanceof knex.KnexTimeoutError ? new UnavailableError({ cause }) : new DatabaseError({ cause })
    }
  }
}

interface TellTenant {
  readonly sql: string
  readonly bindings: readonly string[]
}

function sessionOf(connection: object): Session {
  const known = sessions.get(connection)
  if (known) return known
  const session: Session = { setting: '', turn: Promise.resolve() }
  sessions.set(connection, session)
  return session
}

async function runAs(
  session: Session,
  query: Query,
  send: (query: Query | TellTenant) => Promise<QueryResult>,
): Promise<QueryResult> {
  try {
    // Knex sends BEGIN, COMMIT and the like as plain strings: they touch no rows.
    if (typeof query !== 'string') await tellTenant(session, tenantSetting(query.queryContext), send)
    const result = await send(query)
    if (undoesSettings(typeof query === 'string' ? query : query.sql, result)) session.setting = undefined
    return result
  } catch (error) {
    // After an error a transaction rolls back sooner or later, and set_config with it.
    session.setting = undefined
    throw error
  }
}

async function tellTenant(
  session: Session,
  setting: string,
  send: (query: TellTenant) => Promise<QueryResult>,
): Promise<void> {
  if (session.setting === setting) return
  await send({ sql: `select set_config('stoa.tenant_id', ?, false)`, bindings: [setting] })
  session.setting = setting
}

/** The server ends the session with a FATAL error: marked as knex marks it, the connection does not go back to the pool alive. */
function discardIfLost(connection: { __knex__disposed?: unknown }, error: unknown): void {
  if (error instanceof Error && 'severity' in error && error.severity === 'FATAL') connection.__knex__disposed = error
}

/** A rollback takes set_config back; so does the COMMIT of a failed transaction, which the server answers with ROLLBACK. */
function undoesSettings(sql: string, result: QueryResult): boolean {
  return /^\s*(rollback|abort|discard|reset)\b/i.test(sql) || result.response?.command === 'ROLLBACK'
}
