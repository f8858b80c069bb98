import { TenantModel } from '#kernel'
import type { OnExceed } from '../contract.ts'
import type { Span } from '../windows/span.ts'
import type { Metric, Quota, Share } from './quota.ts'

/** A quota as it is stored. */
export class QuotaRow extends TenantModel {
  static override tableName = 'ai_quotas'
  static override jsonAttributes = ['span', 'onExceed']

  declare id: string
  declare isPlatforms: boolean
  declare name: string
  declare agentId: string | null
  declare modelId: string | null
  declare keyId: string | null
  declare userId: number | null
  declare providerId: string | null
  declare per: Share[]
  declare metric: Metric
  /** A bigint, which PostgreSQL hands over as text. */
  declare amount: string
  declare span: Span
  declare mode: 'hard' | 'soft'
  declare estimate: 'strict' | 'estimate'
  declare onExceed: OnExceed
  declare warnAt: number[]
  declare status: 'active' | 'disabled'
  declare version: number
  declare createdBy: number | null
  declare createdAt: Date
  declare updatedAt: Date
}

/** A stored quota as calls are held against it. */
export function quotaOf(row: QuotaRow): Quota {
  const { id, tenantId, name, agentId, modelId, keyId, userId, providerId } = row
  const { per, metric, amount, span, mode, estimate, onExceed, warnAt } = row
  const scope = { agentId, modelId, keyId, userId, providerId }
  return { id, tenantId, name, scope, per, metric, limit: BigInt(amount), span, mode, estimate, onExceed, warnAt }
}
