import type { KeyUsage } from '../usage/key-usage.ts'
import { showMoney } from '../quotas/show-amount.ts'
import type { KeyRow, SecretRow } from './key-model.ts'

/** How a key is. */
export type KeyStatus = 'active' | 'rotating' | 'expired' | 'disabled'

/** Whether a secret is good at the moment. */
export function isLive({ notAfter }: Pick<SecretRow, 'notAfter'>, now = Date.now()): boolean {
  return notAfter === null || notAfter.getTime() > now
}

/** A key as the wire shows it; secrets that have ended are not among its secrets. */
export function presentKey(row: KeyRow, secrets: readonly SecretRow[], usage: KeyUsage | undefined) {
  const live = secrets.filter((secret) => isLive(secret))
  const current = live.find(({ notAfter }) => notAfter === null) ?? secrets.at(-1)
  return {
    id: row.id,
    tenant_id: row.tenantId === 0 ? null : row.tenantId,
    name: row.name,
    hint: current?.hint ?? '',
    status: statusOf(row, live.length),
    owner: { user_id: row.userId },
    ...{ scopes: row.scopes, models: row.models, agents: row.agents, tools: row.tools, ip_allow: row.ipAllow },
    expires_at: row.expiresAt?.toISOString() ?? null,
    metadata: row.metadata,
    secrets: live.map(({ hint, createdAt, notAfter }) => {
      return { hint, created_at: createdAt.toISOString(), not_after: notAfter?.toISOString() ?? null }
    }),
    ...{ last_used_at: row.lastUsedAt?.toISOString() ?? null, last_used_ip: row.lastUsedIp },
    created_by: row.createdBy,
    ...{ created_at: row.createdAt.toISOString(), updated_at: row.updatedAt.toISOString(), version: row.version },
    usage_30d: { requests: usage?.requests ?? 0, cost: showMoney(usage?.cost ?? 0n) },
  }
}

function statusOf({ status, expiresAt }: KeyRow, live: number): KeyStatus {
  if (status === 'disabled') return 'disabled'
  if (expiresAt !== null && expiresAt.getTime() <= Date.now()) return 'expired'
  return live > 1 ? 'rotating' : 'active'
}
