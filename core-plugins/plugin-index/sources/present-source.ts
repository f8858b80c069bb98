import type { SecretBox } from '#kernel'
import type { SourceRow } from './models.ts'
import { maskHeaders, openHeaders } from './source-headers.ts'

/** A source with how it stands; header values never leave. */
export function presentSource(
  row: SourceRow,
  more: { readonly secrets: SecretBox; readonly plugins: number; readonly installed: number },
) {
  const { plugins, installed } = more
  return {
    ...describeSource(row),
    headers: maskHeaders(openHeaders(more.secrets, row.headers)),
    status: statusOf(row),
    ...{ plugins, installed },
    sequence: row.sequence === null ? null : Number(row.sequence),
    expires: row.expires?.toISOString() ?? null,
    last_error: row.lastError,
    checked_at: row.checkedAt?.toISOString() ?? null,
    refreshed_at: row.refreshedAt?.toISOString() ?? null,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  }
}

/** What administrators chose about a source, without its headers. */
export function describeSource(row: SourceRow) {
  const { id, name, url, priority, enabled, allow, deny, judges, unsigned } = row
  return {
    ...{ id, name, url, priority, enabled },
    root_fingerprint: row.rootFingerprint,
    min_trust: row.minTrust,
    max_trust: row.maxTrust,
    ...{ allow, deny },
    download_hosts: row.downloadHosts,
    ...{ judges, unsigned },
  }
}

function statusOf({ enabled, lastError, refreshedAt, expires }: SourceRow) {
  if (!enabled) return 'disabled'
  if (lastError) return 'failing'
  if (!refreshedAt) return 'new'
  return expires && expires.getTime() < Date.now() ? 'stale' : 'fresh'
}
