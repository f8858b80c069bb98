import type { Knex } from 'knex'
import type { Principal } from '#kernel'
import { showDecimal } from '../../show-decimal.ts'
import { readRows, type RowPage } from '../read-rows.ts'

/** Which requests are wanted; what is left out does not matter. */
interface LogQuery extends RowPage {
  readonly level?: string
  readonly provider_id?: string
  readonly trace_id?: string
  readonly outcome?: string
}

interface LogRow {
  readonly id: string
  readonly at: Date
  readonly tenant_id: number
  readonly cost_nano: string
}

const columns = [
  ...['id', 'at', 'trace_id', 'request_id', 'tenant_id', 'user_id', 'key_id', 'agent_id', 'conversation_id', 'purpose'],
  ...['model', 'route', 'stream', 'attempts', 'outcome', 'level', 'usage', 'cost_nano', 'ttft_ms', 'duration_ms'],
]

/** Requests, newest first. */
export function readLogs(db: Knex, reader: Principal, query: LogQuery) {
  const { provider_id: provider, ...exact } = query
  return readRows<LogRow, object>(db, 'ai_request_log', reader, {
    columns,
    page: query,
    narrow(rows) {
      for (const column of ['level', 'trace_id', 'outcome'] as const) {
        if (exact[column] !== undefined) void rows.where(column, exact[column])
      }
      if (provider === undefined) return
      void rows.where((or) => void or.where('provider_id', provider).orWhere('first_provider_id', provider))
    },
    present: ({ tenant_id: tenant, cost_nano: cost, at, ...row }) => ({
      ...{ ...row, at: at.toISOString(), tenant_id: tenant === 0 ? null : tenant, cost: showDecimal(BigInt(cost)) },
    }),
  })
}
