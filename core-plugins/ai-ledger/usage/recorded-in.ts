import type { Knex } from 'knex'
import type { AiSpending, RecordedAttempt } from '../contract.ts'
import type { LedgerRow } from './ledger-rows.ts'

type FoundRow = Pick<
  LedgerRow,
  'input_tokens' | 'cached_input_tokens' | 'output_tokens' | 'reasoning_tokens' | 'cost_nano'
> & { readonly usage_source: RecordedAttempt['source'] }

/** Attempts at answers of a conversation that were let in since then, in their order. */
export async function recordedIn(
  db: Knex,
  { tenantId, id, since }: Parameters<AiSpending['recordedIn']>[0],
): Promise<readonly RecordedAttempt[]> {
  const rows = await db('ai_usage')
    .where({ tenant_id: tenantId, conversation_id: id, purpose: 'chat' })
    .where('at', '>=', since)
    .orderByRaw('at, attempt')
    .select<FoundRow[]>(
      'input_tokens',
      'cached_input_tokens',
      'output_tokens',
      'reasoning_tokens',
      'cost_nano',
      'usage_source',
    )
    .queryContext({ tenant: tenantId })
  return rows.map((row) => ({
    usage: {
      inputTokens: Number(row.input_tokens),
      cachedInputTokens: Number(row.cached_input_tokens),
      outputTokens: Number(row.output_tokens),
      reasoningTokens: Number(row.reasoning_tokens),
    },
    costNano: BigInt(row.cost_nano),
    source: row.usage_source,
  }))
}
