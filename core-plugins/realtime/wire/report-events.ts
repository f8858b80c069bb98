import type { EventRef } from '#kernel'
import { aiReportReady } from '../../ai-ledger/contract.ts'
import { keyOf } from '../connections/keys.ts'
import { member, membersOf, wireEvent, type Told, type WireEvent } from './wire-event.ts'

type Report = typeof aiReportReady extends EventRef<infer P> ? P : never

const shared = {
  name: 'ai.report.ready',
  summary: 'A report of AI usage and costs was made, and is an attachment',
  data: membersOf({ report_id: member.text, attachment_id: member.uuid }),
  from: aiReportReady,
}

/** Reports of AI usage: the platform's for its staff, a tenant's own for its administrators. */
export const reportEvents: readonly WireEvent[] = [
  wireEvent<Report>({
    ...{ ...shared, namespace: 'admin', permissions: ['ai_usage:report'] },
    tell: (report) => (report.tenantId === 0 ? told(keyOf.admin(), report) : []),
  }),
  wireEvent<Report>({
    ...{ ...shared, namespace: 'tenant', permissions: ['console_tenant:enter', 'tenant_usage:read'] },
    tell: (report) => (report.tenantId > 0 ? told(keyOf.tenant(report.tenantId), report) : []),
  }),
]

function told(key: string, { reportId, attachmentId }: Report): readonly Told[] {
  return [{ key, data: { report_id: reportId, attachment_id: attachmentId } }]
}
