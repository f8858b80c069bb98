import type { PluginProviderName, ProviderRow, ProviderType, StoredLimits, StoredTimeouts } from '../tables.ts'
import type { SecretChange } from './secrets.ts'

/** What may be said of a provider; what is absent stays. */
export interface ProviderChange {
  readonly code?: string
  readonly name?: string
  readonly base_url?: string | null
  readonly region?: string | null
  readonly settings?: Readonly<Record<string, unknown>>
  readonly credentials?: SecretChange
  readonly headers?: Readonly<Record<string, string>>
  readonly timeouts?: StoredTimeouts
  readonly limits?: StoredLimits
  readonly status?: 'enabled' | 'disabled'
}

/** A provider to be made. */
export interface NewProvider extends ProviderChange {
  readonly code: string
  readonly name: string
  readonly type: ProviderType
  readonly plugin?: PluginProviderName
  readonly tenant_id?: number | null
}

/** The columns of something new, secrets apart. */
export function newColumns({ type, plugin, ...wish }: NewProvider) {
  const blank = { baseUrl: null, region: null, settings: {}, headers: {}, timeouts: {}, limits: {} } as const
  return { ...blank, status: 'enabled' as const, type, plugin: plugin ?? null, ...columnsOf(wish) }
}

/** The columns that a change says something of, secrets apart. */
export function columnsOf(wish: ProviderChange): Partial<ProviderRow> {
  const { base_url: baseUrl, region, code, name, settings, headers, timeouts, limits, status } = wish
  const columns = {
    code,
    name,
    baseUrl: withoutSlash(baseUrl),
    region,
    settings,
    headers: lowered(headers),
    timeouts,
    limits,
    status,
  }
  return Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined))
}

/** Paths are put behind it. */
function withoutSlash(url: string | null | undefined): string | null | undefined {
  return url?.replace(/\/+$/, '') ?? url
}

/** One header is not given twice by its letters. */
function lowered(headers: ProviderChange['headers']): ProviderChange['headers'] {
  return headers && Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}
