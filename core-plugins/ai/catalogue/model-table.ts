import { activeVersion, canaryVersion } from '../models/version-state.ts'
import type { ModelRow, ModelVersionRow } from '../tables.ts'
import type { CatalogueModel, ModelInfo, WatchedCanary } from './types.ts'

/** A model with its versions, ready to be called. */
interface KnownModel {
  readonly row: ModelRow
  readonly versions: readonly ModelVersionRow[]
  readonly called: ReadonlyMap<number, CatalogueModel>
}

/** Finds models by whatever they are called. */
export class ModelTable {
  readonly #byId = new Map<string, KnownModel>()
  /** By scope, then by name and alias. */
  readonly #byName = new Map<number, Map<string, KnownModel>>()

  constructor(rows: readonly ModelRow[], versions: ReadonlyMap<string, readonly ModelVersionRow[]>) {
    for (const row of rows) {
      const own = versions.get(row.id) ?? []
      const called = new Map(own.map((version) => [version.version, calledOf(row, version)]))
      const known = { row, versions: own, called }
      this.#byId.set(row.id, known)
      const names = this.#byName.get(row.tenantId) ?? new Map<string, KnownModel>()
      for (const name of [row.name, ...row.aliases]) names.set(name, known)
      this.#byName.set(row.tenantId, names)
    }
  }

  /** The version of a model that a request gets. */
  find(name: string, tenantId: number, pick: number): CatalogueModel | undefined {
    const pin = /^(.+)@(\d{1,9})$/.exec(name)
    const known = this.#known(pin?.[1] ?? name, tenantId)
    if (!known || known.row.status === 'disabled') return undefined
    if (pin) return known.called.get(Number(pin[2]))
    const version = versionFor(known.versions, Date.now(), pick)
    return version && known.called.get(version.version)
  }

  /** The version in use that is called so at a provider. */
  findUpstream(providerId: string, upstreamModel: string): CatalogueModel | undefined {
    const now = Date.now()
    for (const { versions, called } of this.#byId.values()) {
      const version = activeVersion(versions, now)
      if (version?.providerId === providerId && version.upstreamModel === upstreamModel) {
        return called.get(version.version)
      }
    }
    return undefined
  }

  /** The id of a model, with the version that its name pins. */
  idOf(name: string, tenantId: number): string | undefined {
    const [, bare = name, pinned = ''] = /^(.+?)(@\d+)?$/.exec(name) ?? []
    const known = this.#known(bare, tenantId)
    return known && known.row.id + pinned
  }

  /** What is to be watched of a version that gets a part of the requests, and of the one beside it. */
  canary(modelId: string, version: number): WatchedCanary | undefined {
    const known = this.#byId.get(modelId)
    const now = Date.now()
    const found = known && canaryVersion(known.versions, now)
    if (!known || !found) return undefined
    if (version !== found.version && version !== activeVersion(known.versions, now)?.version) return undefined
    const abortIfErrorRate = found.canary?.abort_if_error_rate
    return { modelId, version, canary: found.version, tenantId: known.row.tenantId, abortIfErrorRate }
  }

  /** Whose models there are. */
  get tenants(): readonly number[] {
    return [...this.#byName.keys()]
  }

  /** Those of a tenant and of the platform, by name; what a tenant calls like one of the platform's hides that. */
  listFor(tenantId: number): readonly ModelInfo[] {
    const found = new Map<string, KnownModel>()
    for (const scope of [0, tenantId]) {
      for (const known of this.#byName.get(scope)?.values() ?? []) {
        if (known.row.status !== 'disabled') found.set(known.row.name, known)
      }
    }
    return [...found.values()].flatMap(infoOf).sort((a, b) => (a.name < b.name ? -1 : 1))
  }

  #known(name: string, tenantId: number): KnownModel | undefined {
    const named = this.#byName.get(tenantId)?.get(name) ?? this.#byName.get(0)?.get(name)
    if (named) return named
    const byId = this.#byId.get(name)
    return byId && (byId.row.tenantId === 0 || byId.row.tenantId === tenantId) ? byId : undefined
  }
}

/** The version of one request: the canary where `pick` (0 to 1) lies in its part. */
function versionFor(versions: readonly ModelVersionRow[], now: number, pick: number): ModelVersionRow | undefined {
  const canary = canaryVersion(versions, now)
  if (canary?.canary && pick * 100 < canary.canary.percent) return canary
  // The clock of the host that made the first version may be a little ahead.
  return activeVersion(versions, now) ?? versions[0]
}

function infoOf({ row, versions }: KnownModel): readonly ModelInfo[] {
  const version = activeVersion(versions, Date.now()) ?? versions[0]
  if (!version) return []
  const { id, name, aliases, displayName, kind, capabilities, createdAt } = row
  const limits = {
    contextWindow: version.contextWindow ?? undefined,
    maxOutputTokens: version.maxOutputTokens ?? undefined,
  }
  return [{ id, name, aliases, displayName, kind, ...limits, capabilities, createdAt }]
}

function calledOf({ id, tenantId, name, kind, capabilities }: ModelRow, version: ModelVersionRow): CatalogueModel {
  const { price } = version
  return {
    ...{ id, tenantId, name, kind, capabilities, version: version.version },
    providerId: version.providerId,
    upstreamModel: version.upstreamModel,
    contextWindow: version.contextWindow ?? undefined,
    maxOutputTokens: version.maxOutputTokens ?? undefined,
    defaultOutputTokens: version.defaultOutputTokens ?? undefined,
    prices: price
      ? {
          input: price.input,
          output: price.output,
          cachedInput: price.cached_input,
          cacheWrite: price.cache_write,
          reasoning: price.reasoning,
          perImage: price.per_image_nano === undefined ? undefined : BigInt(price.per_image_nano),
          perRequest: price.per_request_nano === undefined ? undefined : BigInt(price.per_request_nano),
        }
      : undefined,
    params: version.params,
    dropParams: version.dropParams,
  }
}
