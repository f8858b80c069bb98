/** The part of knex's transaction that ends it: COMMIT, or RELEASE of a savepoint. */
interface Ending {
  commit(connection: object, value?: unknown): Promise<unknown>
  release(connection: object, value?: unknown): Promise<unknown>
  readonly transactor: { readonly executionPromise: Promise<unknown> }
}

/** Has whoever ends a transaction hear how it ended: knex's own `commit()` resolves whatever the server said. */
export function tellEnd<T extends object>(transaction: T): T {
  const ending = transaction as unknown as Ending
  for (const end of ['commit', 'release'] as const) {
    const send = ending[end].bind(ending)
    ending[end] = async (connection, value) => {
      await send(connection, value)
      return ending.transactor.executionPromise
    }
  }
  return transaction
}
