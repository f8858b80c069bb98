import type { Knex } from 'knex'
import type { Grants } from '../grants.ts'
import type { Room } from '../wire/call.ts'
import type { Argument, CallContext, CapabilityOperations } from './capability.ts'
import { compileStatement } from './database/compile-statement.ts'
import type { RolePool, RolePools } from './database/role-pools.ts'
import { statementError } from './database/statement-error.ts'
import { listOf, recordOf } from './database/statement-fault.ts'
import { TableSizes } from './database/table-sizes.ts'
import { Transactions } from './database/transactions.ts'
import { JsonText } from './json-text.ts'
import { Refusal } from './refusal.ts'
import type { Provider } from './provider.ts'

/** Where the plugins' tables are. */
export interface DatabaseServices {
  readonly database: { urlFor(user: string, password: string): string }
  /** The password of the plugin's login role, derived and never stored. */
  readonly rolePassword: (plugin: string) => string
}

/** The plugin's tables; in a test they are in a real database of its own. */
export const database: Provider<DatabaseServices> = {
  create: ({ pools, manifest, grants }) => createDatabaseCapability(pools, manifest.name, grants),
  fake: ({ database, password }) => ({ services: { database, rolePassword: () => password } }),
}

interface Answer {
  readonly rows: readonly [{ readonly count: number; readonly rows: string | null }]
}

/** The plugin's own tables, through its own login role; statements are compiled here and rows never parsed. */
export function createDatabaseCapability(pools: RolePools, plugin: string, grants: Grants): CapabilityOperations {
  const transactions = new Transactions()
  const sizes = new TableSizes()
  const use = <T>(work: (pool: RolePool) => Promise<T>): Promise<T> => pools.use(plugin, grants.tables, work)

  async function query(argument: Argument, call: CallContext, _signal: AbortSignal, room: Room): Promise<JsonText> {
    const { tx, operation, table } = argument
    return use(async ({ knex, catalogue }) => {
      const growing = operation === 'insert' || operation === 'upsert' ? catalogue.get(String(table)) : undefined
      const send = (db: Knex): Promise<JsonText> =>
        withConnection(db, async (connection) => {
          if (growing) await sizes.check({ db, connection, catalogue }, growing.realName, call.limits)
          await room(call.limits.resultBytes)
          const answer = await runStatement(db, connection, { argument, call, catalogue })
          if (growing) await sizes.grow(growing.realName, rowsOf(argument))
          return answer
        })
      return tx === undefined ? send(knex) : transactions.run(call, tx, send)
    })
  }

  /** Statements in order, all of them or none, whose rows together are no more than those of one may be. */
  async function batch(argument: Argument, call: CallContext, signal: AbortSignal, room: Room): Promise<JsonText> {
    const statements = listOf(argument['statements'], 'A batch', call.limits.transactionStatements).map((statement) =>
      recordOf(statement, 'A statement of a batch'),
    )
    const given = argument['tx']
    const tx = given ?? (await begin(argument, call, signal)).tx
    const answers: string[] = []
    let bytes = 0
    try {
      for (const statement of statements) {
        const { text } = await query({ ...statement, tx }, call, signal, room)
        bytes += text.length
        if (bytes > call.limits.resultBytes) throw tooLarge(call.limits.resultBytes)
        answers.push(text)
      }
      if (given === undefined) await transactions.commit(call, tx)
    } catch (error) {
      if (given === undefined) await transactions.rollback(call, tx)
      throw error
    }
    return new JsonText(`[${answers.join(',')}]`)
  }

  async function begin(_argument: Argument, call: CallContext, signal: AbortSignal): Promise<{ readonly tx: string }> {
    return use(async ({ knex }) => ({ tx: await transactions.begin(call, knex, signal) }))
  }

  return {
    capability: 'db:own_tables',
    operations: {
      'db.query': explained(query),
      'db.batch': explained(batch),
      'db.begin': explained(begin),
      'db.commit': explained(({ tx }, call) => transactions.commit(call, tx)),
      'db.rollback': explained(({ tx }, call) => transactions.rollback(call, tx)),
    },
  }
}

function rowsOf({ values }: Argument): number {
  return Array.isArray(values) ? values.length : 1
}

function explained<T>(
  operation: (argument: Argument, call: CallContext, signal: AbortSignal, room: Room) => Promise<T>,
): (argument: Argument, call: CallContext, signal: AbortSignal, room: Room) => Promise<T> {
  return async (argument, call, signal, room) => {
    try {
      return await operation(argument, call, signal, room)
    } catch (error) {
      throw statementError(error)
    }
  }
}

/** A statement waits for room and for sizes on its connection: whoever waits for a connection holds nothing that its holder may wait for. */
async function withConnection<T>(db: Knex, work: (connection: object) => Promise<T>): Promise<T> {
  const client = db.client as Knex.Client
  const connection = (await client.acquireConnection()) as object
  try {
    return await work(connection)
  } finally {
    // A transaction keeps its own.
    await client.releaseConnection(connection)
  }
}

interface Statement {
  readonly argument: Argument
  readonly call: CallContext
  readonly catalogue: RolePool['catalogue']
}

async function runStatement(
  db: Knex,
  connection: object,
  { argument, call: { tenantId, limits, usage }, catalogue }: Statement,
): Promise<JsonText> {
  const bounds = { tenantId, rows: limits.rows, resultBytes: limits.resultBytes }
  const { sql, bindings, tenant } = compileStatement(argument, catalogue, bounds)
  const begun = performance.now()
  usage.add('statements')
  const answer = await Promise.resolve(
    db
      .raw<Answer>(sql, bindings as Knex.RawBinding[])
      .connection(connection)
      .queryContext({ tenant }),
  ).finally(() => usage.add('statementMs', performance.now() - begun))
  const [{ count, rows }] = answer.rows
  usage.add('statementRows', count)
  if (rows === null || Buffer.byteLength(rows) > limits.resultBytes) {
    throw tooLarge(limits.resultBytes)
  }
  return new JsonText(`{"rows":${rows},"count":${count}}`)
}

function tooLarge(bytes: number): Refusal {
  return new Refusal('invalid', 'result_too_large', `The rows are larger than ${bytes} bytes: ask for fewer`)
}
