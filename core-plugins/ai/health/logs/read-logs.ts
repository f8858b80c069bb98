import type { Knex } from 'knex'
import { isFreshlySignedIn, type Principal } from '#kernel'
import type { Audit } from '../../../access/contract.ts'
import { showDecimal } from '../../show-decimal.ts'
import { demand } from '../../permissions.ts'
import { readRows, type RowPage } from '../read-rows.ts'

/** Which requests are wanted; what is left out does not matter. */
interface LogQuery extends RowPage {
  readonly id?: string
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
  readonly findings: readonly object[] | null
}

const columns = [
  ...['id', 'at', 'trace_id', 'request_id', 'tenant_id', 'user_id', 'key_id', 'agent_id', 'conversation_id', 'purpose'],
  ...['model', 'route', 'stream', 'attempts', 'outcome', 'level', 'usage', 'cost_nano', 'ttft_ms', 'duration_ms'],
  'findings',
]

/** What reading what was said needs of the rest. */
interface PayloadParts {
  readonly audit: Pick<Audit, 'record'>
  readonly open: (sealed: string) => string
}

/**
 * Requests, newest first; to whoever may read it with what was said in them, where that was kept. To the platform's staff only
 * after a fresh sign-in, and each tenant whose words they are finds in its log that they were read.
 */
export async function readLogs(db: Knex, reader: Principal, query: LogQuery, { audit, open }: PayloadParts) {
  const page = await readPage(db, reader, query)
  const isOutside = reader.scope === 'platform'
  const mayRead = reader.can(demand('ai_health:payloads')[reader.scope]) && (!isOutside || isFreshlySignedIn(reader))
  if (!mayRead) return page
  const kept = await db('ai_request_payloads')
    .queryContext({ tenant: reader.scope === 'platform' ? 'all' : reader.tenantId })
    .whereIn(
      'id',
      page.items.map(({ id }) => id),
    )
    .select<readonly { readonly id: string; readonly sealed: string }[]>('id', 'sealed')
  const sealed = new Map(kept.map((row) => [row.id, row.sealed]))
  const payloadOf = (id: string): unknown => {
    const text = sealed.get(id)
    return text === undefined ? null : (JSON.parse(open(text)) as unknown)
  }
  if (isOutside) {
    const told = page.items.filter(({ id, tenant_id: tenant }) => sealed.has(id) && tenant !== null)
    await tellReading(db, audit, reader, new Set(told.map(({ tenant_id: tenant }) => Number(tenant))))
  }
  return { ...page, items: page.items.map((item) => ({ ...item, payload: payloadOf(item.id) })) }
}

/** Writes into the log of the platform, and of each tenant concerned, who read what was said to its models. */
async function tellReading(
  db: Knex,
  audit: Pick<Audit, 'record'>,
  actor: Principal,
  tenants: ReadonlySet<number>,
): Promise<void> {
  if (tenants.size === 0) return
  const entry = { actor, action: 'ai_payload.read', target: 'ai_request_log' }
  await db.transaction(async (trx) => {
    await audit.record({ ...entry, tenantId: 0, after: { tenant_ids: [...tenants] } }, trx)
    for (const tenantId of tenants) await audit.record({ ...entry, tenantId }, trx)
  })
}

function readPage(db: Knex, reader: Principal, query: LogQuery) {
  const { provider_id: provider, ...exact } = query
  return readRows<LogRow, { readonly id: string; readonly tenant_id: number | null }>(db, 'ai_request_log', reader, {
    columns,
    page: query,
    narrow(rows) {
      for (const column of ['id', 'level', 'trace_id', 'outcome'] as const) {
        if (exact[column] !== undefined) void rows.where(column, exact[column])
      }
      if (provider === undefined) return
      void rows.where((or) => void or.where('provider_id', provider).orWhere('first_provider_id', provider))
    },
    present: ({ tenant_id: tenant, cost_nano: cost, at, findings, ...row }) => ({
      ...{
        ...row,
        findings: findings ?? [],
        at: at.toISOString(),
        tenant_id: tenant === 0 ? null : tenant,
        cost: showDecimal(BigInt(cost)),
      },
    }),
  })
}
