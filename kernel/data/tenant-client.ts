import knex from 'knex'
import type { Knex } from 'knex'
import { AppError, UnavailableError } from '../errors.ts'
import { DatabaseUnavailableError } from './errors.ts'
import { openConnection } from './open-connection.ts'
import type { OwnTime } from './own-time.ts'
import { explainFailure, followQuery } from './query-end.ts'
import { isLost, sessionOf, type PgConnection, type Session } from './session.ts'
import type { SilenceWatch } from './silence-watch.ts'
import { tenantSetting } from './tenant-context.ts'
import { tellEnd } from './transaction-end.ts'

type Query = string | { readonly sql: string; readonly queryContext?: unknown }
interface QueryResult {
  readonly response?: { readonly command?: string | null }
}
interface TellTenant {
  readonly sql: string
  readonly bindings: readonly string[]
}
/** As far as we look inside of knex' pool. */
interface Pool {
  readonly max: number
  numUsed(): number
  acquire(): { readonly promise: Promise<object>; reject(reason: Error): void }
}
type Send = (query: Query | TellTenant) => Promise<QueryResult>

const PostgresClient = (knex({ client: 'pg' }).client as object).constructor as typeof Knex.Client
/** How long the server may take to say goodbye. */
const farewellMs = 1000

/**
 * A PostgreSQL client of knex whose connections remember their tenant and are told only when it changes. All queries of the
 * platform pass here, of transactions too: each ends in time, a COMMIT only with the server's word, and failures are told apart.
 */
export function createTenantClient(
  silence: SilenceWatch,
  { ownTime, acquireMs }: { readonly ownTime: OwnTime; readonly acquireMs: number },
): typeof Knex.Client {
  return class TenantClient extends PostgresClient {
    /** Runs a query as the tenant of its context; queries of one connection wait for each other, so no tenant can slip between. */
    override query(connection: PgConnection, query: Query): Promise<QueryResult> {
      const session = sessionOf(connection)
      const send: Send = async (text) => {
        const sql = typeof text === 'string' ? text : text.sql
        if (isLost(connection)) throw new DatabaseUnavailableError({ cause: connection.__knex__disposed })
        try {
          const asked = super.query(connection, text) as Promise<QueryResult>
          const result = await silence.during(connection, asked, session.statementMs)
          followQuery(session, sql, result.response?.command)
          return result
        } catch (error) {
          throw error instanceof AppError ? error : explainFailure(connection, session, sql, error)
        }
      }
      session.pending++
      const result = session.turn.then(() => runAs(session, query, send)).finally(() => session.pending--)
      session.turn = result.catch(() => undefined)
      return result
    }

    override transaction(...options: Parameters<Knex.Client['transaction']>): Knex.Transaction {
      return tellEnd(super.transaction(...options))
    }

    override async acquireConnection(): Promise<object> {
      const pool = this.pool as unknown as Pool | undefined
      if (!pool) throw new DatabaseUnavailableError({ cause: new Error('The pool is closed') })
      const pending = pool.acquire()
      let late: Error | undefined
      const giveUp = (): void => {
        late = new knex.KnexTimeoutError('No connection could be had in time')
        pending.reject(late)
      }
      try {
        return await ownTime.limit(pending.promise, acquireMs, giveUp)
      } catch (cause) {
        const isUsedUp = late !== undefined && cause === late && pool.numUsed() >= pool.max
        throw isUsedUp ? new UnavailableError({ cause }) : new DatabaseUnavailableError({ cause })
      }
    }

    override acquireRawConnection(): Promise<PgConnection> {
      return openConnection(this.connectionSettings, ownTime)
    }

    /** One that was given back while something is asked on it would keep the next one waiting. */
    override validateConnection(connection: PgConnection): Promise<boolean> {
      return Promise.resolve(sessionOf(connection).pending === 0)
    }

    override async destroyRawConnection(connection: PgConnection): Promise<void> {
      const { stream } = connection.connection
      const timer = setTimeout(() => stream.destroy(), isLost(connection) ? 0 : farewellMs)
      await super.destroyRawConnection(connection).finally(() => clearTimeout(timer))
    }
  }
}

async function runAs(session: Session, query: Query, send: Send): Promise<QueryResult> {
  // Knex sends BEGIN, COMMIT and the like as plain strings: they touch no rows.
  if (typeof query !== 'string') await tellTenant(session, tenantSetting(query.queryContext), send)
  return send(query)
}

async function tellTenant(session: Session, setting: string, send: Send): Promise<void> {
  if (session.setting === setting) return
  await send({ sql: `select set_config('stoa.tenant_id', ?, false)`, bindings: [setting] })
  session.setting = setting
}
