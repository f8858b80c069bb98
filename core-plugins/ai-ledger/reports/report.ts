import { TenantModel } from '#kernel'
import type { Grouping } from '../usage/usage-filter.ts'
import type { reportTypes } from './report-types.ts'

/** The kind of the jobs that make reports. */
export const reportKind = 'ai_ledger.report'
/** What a report tells. */
export type ReportType = (typeof reportTypes)[number]

/** What a report is made of. */
export interface ReportWish {
  readonly type: ReportType
  readonly from: string
  readonly to: string
  readonly tz: string
  readonly group_by: readonly Grouping[]
  readonly format: 'csv' | 'json' | 'focus'
  /** Of reports from before it was sealed. */
  readonly webhook?: string | null
  /** Addresses that are told; of reports from before there were any, none. */
  readonly email?: readonly string[]
  readonly invoice: {
    readonly provider_id: string
    readonly amount: string
    readonly input_tokens?: number
    readonly output_tokens?: number
  } | null
}

/** A report that was asked for, or that a schedule had made. */
export class ReportRow extends TenantModel {
  static override tableName = 'ai_usage_reports'
  static override jsonAttributes = ['wish']

  declare id: string
  declare name: string
  declare status: 'queued' | 'done' | 'failed'
  declare wish: ReportWish
  /** Sealed. */
  declare webhook: string | null
  /** Where the web hook is, without what may be secret. */
  declare webhookHint: string | null
  /** Five fields of cron, by the wish's time zone: it is made again, each time of the same length up to then. */
  declare cron: string | null
  /** The scheduled report that this one was made for. */
  declare parentId: string | null
  declare attachmentId: string | null
  declare createdBy: number
  declare createdAt: Date
  declare finishedAt: Date | null
}

/** What is shown of a web hook. */
export function hintOf(webhook: string): string {
  return `${new URL(webhook).origin}/…`
}

/** A report as the wire shows it. */
export function presentReport(row: ReportRow) {
  const { webhook = null, email = [], ...wish } = row.wish
  return {
    ...{ id: row.id, report_id: row.id, tenant_id: row.tenantId === 0 ? null : row.tenantId, name: row.name },
    ...{ status: row.status, ...wish, schedule: row.cron, parent_id: row.parentId },
    deliver: { attachment: true, webhook: row.webhookHint ?? (webhook && hintOf(webhook)), email },
    ...{ attachment_id: row.attachmentId, created_by: row.createdBy, created_at: row.createdAt.toISOString() },
    finished_at: row.finishedAt?.toISOString() ?? null,
  }
}
