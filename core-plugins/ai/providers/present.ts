import { presentOwner } from '../area.ts'
import type { ProviderRow } from '../tables.ts'
import type { PresentedSecret } from './secrets.ts'

/** A provider as administrators see it: of secrets only how they are. */
export function presentProvider(row: ProviderRow, credentials: Readonly<Record<string, PresentedSecret>>) {
  return {
    id: row.id,
    code: row.code,
    name: row.name,
    type: row.type,
    plugin: row.plugin,
    settings: row.settings,
    ...presentOwner(row),
    base_url: row.baseUrl,
    region: row.region,
    credentials,
    headers: row.headers,
    timeouts: row.timeouts,
    limits: row.limits,
    status: row.status,
    version: row.version,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  }
}

/** What `presentProvider` makes. */
export type PresentedProvider = ReturnType<typeof presentProvider>
