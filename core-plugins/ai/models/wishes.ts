import type { ModelRow, ModelVersionRow } from '../tables.ts'
import { parsePrice, printPrice, type WirePrice } from './price.ts'

/** What may be said of a model itself. */
export interface HeadChange {
  readonly name?: string
  readonly aliases?: readonly string[]
  readonly display_name?: string
  readonly status?: ModelRow['status']
  readonly tags?: readonly string[]
  readonly capabilities?: Readonly<Record<string, boolean>>
}

/** What may be said of a version. */
interface VersionSettings {
  readonly provider_id?: string
  readonly upstream_model?: string
  readonly context_window?: number | null
  readonly max_output_tokens?: number | null
  readonly default_output_tokens?: number | null
  readonly tokenizer?: string | null
  readonly params?: ModelVersionRow['params']
  readonly drop_params?: readonly string[]
  readonly price?: Partial<WirePrice> | null
}

/** A model to be made. */
export interface NewModel extends HeadChange, VersionSettings {
  readonly name: string
  readonly kind: ModelRow['kind']
  readonly provider_id: string
  readonly upstream_model: string
  readonly tenant_id?: number | null
}

/** A version to be made, or one to go back to. */
export interface NewVersion extends VersionSettings {
  readonly note?: string
  readonly effective_from?: string
  readonly activate?: boolean
  readonly canary?: { readonly percent: number; readonly until: string; readonly abort_if_error_rate?: number }
  readonly activate_version?: number
}

/** What of a version never changes. */
export type VersionColumns = Pick<
  ModelVersionRow,
  | 'providerId'
  | 'upstreamModel'
  | 'contextWindow'
  | 'maxOutputTokens'
  | 'defaultOutputTokens'
  | 'tokenizer'
  | 'params'
  | 'dropParams'
  | 'price'
>

/** The columns of a model that a change says something of. */
export function headColumns(wish: HeadChange): Partial<ModelRow> {
  const { name, aliases, display_name: displayName, status, tags, capabilities } = wish
  const columns = { name, aliases, displayName, status, tags, capabilities }
  return Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined))
}

/** The settings of the first version. */
export function firstVersion(wish: NewModel): VersionColumns {
  const { provider_id: providerId, upstream_model: upstreamModel, price } = wish
  return {
    ...{ providerId, upstreamModel, tokenizer: wish.tokenizer ?? null },
    contextWindow: wish.context_window ?? null,
    maxOutputTokens: wish.max_output_tokens ?? null,
    defaultOutputTokens: wish.default_output_tokens ?? null,
    params: wish.params ?? {},
    dropParams: wish.drop_params ?? [],
    price: price ? parsePrice(price as WirePrice) : null,
  }
}

/** The settings of a version that says something else than the one before. */
export function nextVersion(before: VersionColumns, wish: VersionSettings): VersionColumns {
  const pick = <T>(said: T | undefined, kept: T): T => (said === undefined ? kept : said)
  return {
    providerId: pick(wish.provider_id, before.providerId),
    upstreamModel: pick(wish.upstream_model, before.upstreamModel),
    contextWindow: pick(wish.context_window, before.contextWindow),
    maxOutputTokens: pick(wish.max_output_tokens, before.maxOutputTokens),
    defaultOutputTokens: pick(wish.default_output_tokens, before.defaultOutputTokens),
    tokenizer: pick(wish.tokenizer, before.tokenizer),
    params: pick(wish.params, before.params),
    dropParams: pick(wish.drop_params, before.dropParams),
    price: nextPrice(before.price, wish.price),
  }
}

function nextPrice(before: VersionColumns['price'], said: VersionSettings['price']): VersionColumns['price'] {
  if (said === undefined) return before
  if (said === null) return null
  const kept = before === null ? { input: '0', output: '0' } : printPrice(before)
  return parsePrice({ ...kept, ...said })
}
