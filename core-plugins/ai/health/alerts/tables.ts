import { TenantModel } from '#kernel'
import type { alertMetrics, operators } from './alert-words.ts'

/** What rules go by. */
type AlertMetric = (typeof alertMetrics)[number]

/** Which calls, providers or quotas are meant; what is left out does not matter. */
export interface AlertScope {
  readonly provider_id?: string
  readonly model_id?: string
  readonly route_id?: string
  readonly quota_id?: string
  readonly tenant_id?: number
}

/** When an alert is raised. */
export interface AlertCondition {
  readonly metric: AlertMetric
  readonly scope: AlertScope
  readonly op: (typeof operators)[number]
  readonly value: number
  /** It must hold for so long. */
  readonly for_s: number
}

/** Who is told; web hooks are kept apart. */
export interface AlertNotice {
  readonly ws: readonly 'admin'[]
  readonly email: readonly string[]
}

/** A rule, of the platform (tenant 0) or of a tenant, and where it stands. */
export class AlertRuleRow extends TenantModel {
  static override tableName = 'ai_alert_rules'
  static override jsonAttributes = ['condition', 'notify']

  declare id: string
  declare name: string
  declare condition: AlertCondition
  declare notify: AlertNotice
  /** Sealed. */
  declare webhook: string | null
  /** Where the web hook is, without what may be secret. */
  declare webhookHint: string | null
  declare cooldownS: number
  declare pendingSince: Date | null
  declare value: number | null
  declare toldAt: Date | null
  declare createdAt: Date
  declare createdBy: number | null
}

/** Something that is, or was, wrong. */
export class AlertRow extends TenantModel {
  static override tableName = 'ai_alerts'

  declare id: string
  declare ruleId: string | null
  declare subject: string
  declare name: string
  declare metric: string
  declare since: Date
  declare value: number
  declare toldAt: Date | null
  declare resolvedAt: Date | null
}
