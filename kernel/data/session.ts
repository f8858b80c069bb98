import type { Socket } from 'node:net'

/** A connection of pg's, as far as we look inside. */
export interface PgConnection {
  readonly processID: number | null
  readonly connection: { readonly stream: Socket }
  /** Set by knex when it broke; what has it does not go back to the pool alive. */
  __knex__disposed?: unknown
}

/** What is known of a pooled connection. */
export interface Session {
  /** The tenant it was last told; undefined is not known. */
  setting: string | undefined
  /** The end of its last query: one waits for the other. */
  turn: Promise<unknown>
  /** Queries that have not ended. */
  pending: number
  /** The transaction it is in, with what failed there and was not undone to a savepoint. */
  transaction: { failure: unknown } | undefined
  /** How long each statement of its transaction may take, where that was said. */
  statementMs: number | undefined
}

const sessions = new WeakMap<object, Session>()

/** What is known of a connection. */
export function sessionOf(connection: object): Session {
  const known = sessions.get(connection)
  if (known) return known
  const session: Session = {
    ...{ setting: '', turn: Promise.resolve(), pending: 0 },
    ...{ transaction: undefined, statementMs: undefined },
  }
  sessions.set(connection, session)
  return session
}

/** Whether nothing can be sent on it any more. */
export function isLost(connection: PgConnection): boolean {
  return connection.__knex__disposed !== undefined
}

/** Breaks a connection: what waits for an answer on it fails with this reason, and the pool makes another. */
export function discard(connection: PgConnection, reason: Error): void {
  connection.__knex__disposed ??= reason
  connection.connection.stream.destroy(reason)
}
