import { presentOwner } from '../area.ts'
import type { ModelRow, ModelVersionRow } from '../tables.ts'
import { printPrice } from './price.ts'
import { activeVersion, stateOf } from './version-state.ts'
import type { VersionColumns } from './wishes.ts'

/** A model as administrators see it, with the version that is used now; with all of them where they are asked for. */
export function presentModel(
  row: ModelRow,
  versions: readonly ModelVersionRow[],
  currency: string,
  withVersions = false,
) {
  const now = Date.now()
  const active = activeVersion(versions, now) ?? versions[0]
  if (!active) throw new Error(`The model ${row.id} has no version`)
  return {
    id: row.id,
    name: row.name,
    aliases: row.aliases,
    display_name: row.displayName,
    kind: row.kind,
    ...presentOwner(row),
    status: row.status,
    active_version: active.version,
    ...presentSettings(active, currency, active.activatesAt ?? active.createdAt),
    capabilities: row.capabilities,
    tags: row.tags,
    version: row.revision,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
    ...(withVersions && { versions: versions.map((version) => presentVersion(version, versions, currency, now)) }),
  }
}

/** What `presentModel` makes. */
export type PresentedModel = ReturnType<typeof presentModel>

/** What differs between two versions, as the wire names it. */
export function diffOf(before: VersionColumns, after: VersionColumns) {
  const [from, to] = [flatten(before), flatten(after)]
  return Object.keys({ ...from, ...to })
    .filter((path) => JSON.stringify(from[path]) !== JSON.stringify(to[path]))
    .map((path) => ({ path, from: from[path] ?? null, to: to[path] ?? null }))
}

function presentVersion(row: ModelVersionRow, all: readonly ModelVersionRow[], currency: string, now: number) {
  return {
    version: row.version,
    state: stateOf(row, all, now),
    ...presentSettings(row, currency, row.activatesAt ?? row.createdAt),
    note: row.note,
    canary: row.canary,
    activates_at: row.activatesAt?.toISOString() ?? null,
    created_at: row.createdAt.toISOString(),
  }
}

function presentSettings({ price, ...row }: VersionColumns, currency: string, from: Date) {
  return {
    ...plain(row),
    price: price && { currency, unit: '1M tokens', ...printPrice(price), effective_from: from.toISOString() },
  }
}

function plain(row: Omit<VersionColumns, 'price'>) {
  return {
    provider_id: row.providerId,
    upstream_model: row.upstreamModel,
    context_window: row.contextWindow,
    max_output_tokens: row.maxOutputTokens,
    default_output_tokens: row.defaultOutputTokens,
    tokenizer: row.tokenizer,
    params: row.params,
    drop_params: row.dropParams,
  }
}

function flatten({ price, ...row }: VersionColumns): Readonly<Record<string, unknown>> {
  const prices: Readonly<Record<string, unknown>> = price === null ? {} : { ...printPrice(price) }
  const named = Object.entries(prices).map(([key, value]) => [`price.${key}`, value] as const)
  return { ...plain(row), ...Object.fromEntries(named) }
}
