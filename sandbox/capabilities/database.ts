import type { Knex } from 'knex'
import type { Grants } from '../services.ts'
import type { Argument, CallContext, CapabilityOperations } from './capability.ts'
import { compileStatement } from './database/compile-statement.ts'
import type { RolePool, RolePools } from './database/role-pools.ts'
import { statementError } from './database/statement-error.ts'
import { TableSizes } from './database/table-sizes.ts'
import { Transactions } from './database/transactions.ts'
import { JsonText } from './json-text.ts'
import { Refusal } from './refusal.ts'

interface Answer {
  readonly rows: readonly [{ readonly count: number; readonly rows: string | null }]
}

/** The plugin's own tables, through its own login role; statements are compiled here and rows never parsed. */
export function createDatabaseCapability(pools: RolePools, plugin: string, grants: Grants): CapabilityOperations {
  const transactions = new Transactions()
  const sizes = new TableSizes()
  const use = <T>(work: (pool: RolePool) => Promise<T>): Promise<T> => pools.use(plugin, grants.tables, work)

  async function query(argument: Argument, call: CallContext): Promise<JsonText> {
    const { tx, operation, table } = argument
    return use(async ({ knex, catalogue }) => {
      const run = (db: Knex): Promise<JsonText> => runStatement(db, argument, call, catalogue)
      const growing = operation === 'insert' || operation === 'upsert' ? catalogue.get(String(table)) : undefined
      const send = async (db: Knex): Promise<JsonText> => {
        if (growing) await sizes.check(db, catalogue, growing.realName, call.limits)
        const answer = await run(db)
        if (growing) await sizes.grow(growing.realName, rowsOf(argument))
        return answer
      }
      return tx === undefined ? send(knex) : transactions.run(call, tx, send)
    })
  }

  async function begin(_argument: Argument, call: CallContext, signal: AbortSignal): Promise<unknown> {
    return use(async ({ knex }) => ({ tx: await transactions.begin(call, knex, signal) }))
  }

  return {
    capability: 'db:own_tables',
    operations: {
      'db.query': explained(query),
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
  operation: (argument: Argument, call: CallContext, signal: AbortSignal) => Promise<T>,
): (argument: Argument, call: CallContext, signal: AbortSignal) => Promise<T> {
  return async (argument, call, signal) => {
    try {
      return await operation(argument, call, signal)
    } catch (error) {
      throw statementError(error)
    }
  }
}

async function runStatement(
  db: Knex,
  argument: Argument,
  { tenantId, limits, usage }: CallContext,
  catalogue: RolePool['catalogue'],
): Promise<JsonText> {
  const bounds = { tenantId, rows: limits.rows, resultBytes: limits.resultBytes }
  const { sql, bindings, tenant } = compileStatement(argument, catalogue, bounds)
  const begun = performance.now()
  usage.add('statements')
  const answer = await Promise.resolve(
    db.raw<Answer>(sql, bindings as Knex.RawBinding[]).queryContext({ tenant }),
  ).finally(() => usage.add('statementMs', performance.now() - begun))
  const [{ count, rows }] = answer.rows
  usage.add('statementRows', count)
  if (rows === null || Buffer.byteLength(rows) > limits.resultBytes) {
    throw new Refusal(
      'invalid',
      'result_too_large',
      `The rows are larger than ${limits.resultBytes} bytes: ask for fewer`,
    )
  }
  return new JsonText(`{"rows":${rows},"count":${count}}`)
}
