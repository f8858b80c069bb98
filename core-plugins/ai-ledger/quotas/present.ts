import type { QuotaRow } from './quota-model.ts'
import { showAmount } from './show-amount.ts'

/** A quota as the wire shows it. */
export function presentQuota(row: QuotaRow) {
  const { minOutputTokens, fallbackModel, ...onExceed } = row.onExceed
  return {
    id: row.id,
    name: row.name,
    tenant_id: row.tenantId === 0 ? null : row.tenantId,
    is_platforms: row.isPlatforms,
    scope: {
      ...{ agent_id: row.agentId, model_id: row.modelId, key_id: row.keyId },
      ...{ user_id: row.userId, provider_id: row.providerId },
    },
    ...{ per: row.per, metric: row.metric, limit: showAmount(row.metric, BigInt(row.amount)), window: row.span },
    ...{ mode: row.mode, estimate: row.estimate },
    on_exceed: {
      ...onExceed,
      ...(minOutputTokens !== undefined && { min_output_tokens: minOutputTokens }),
      fallback_model: fallbackModel ?? null,
    },
    ...{ warn_at: row.warnAt, status: row.status, version: row.version },
    ...{ created_at: row.createdAt.toISOString(), updated_at: row.updatedAt.toISOString() },
  }
}
