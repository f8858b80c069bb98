import type { Knex } from 'knex'
import type { Catalogue, WatchedCanary } from '../../catalogue/types.ts'
import type { AttemptRecord, CallRecord } from '../../relay/call-record.ts'

/** How attempts with a version went, over all hosts. */
export interface CanaryFigures extends WatchedCanary {
  readonly attempts: number
  readonly failures: number
}

interface WatchParts {
  readonly db: Knex
  readonly catalogue: () => Pick<Catalogue, 'canary' | 'gateway' | 'provider'>
  /** Ends a canary; an end that was there already stays. */
  readonly abort: (figures: CanaryFigures) => Promise<void>
}

interface Waiting {
  readonly canary: WatchedCanary
  attempts: number
  failures: number
}

/** What the caller did, and what was only too much at once, says nothing of a version. */
const neutral: ReadonlySet<AttemptRecord['class']> = new Set([
  ...(['client_abort', 'bad_request', 'context_length', 'content_filter', 'rate_limit'] as const),
])

/** Counts how canaries go beside the versions that are used, and ends those of which too many attempts fail, as soon as there are enough to tell. */
export class CanaryWatch {
  readonly #parts: WatchParts
  #waiting = new Map<string, Waiting>()

  constructor(parts: WatchParts) {
    this.#parts = parts
  }

  /** Counts a call that is over. A tenant may lead a model of the platform to a provider of its own, which says nothing of the version. */
  note({ attempts }: CallRecord): void {
    const catalogue = this.#parts.catalogue()
    for (const { modelId, modelVersion, providerId, class: kind } of attempts) {
      const canary = catalogue.canary(modelId, modelVersion)
      const isOwn = canary && catalogue.provider(providerId)?.tenantId === canary.tenantId
      if (isOwn && !neutral.has(kind)) this.#add(canary, 1, kind === 'ok' ? 0 : 1)
    }
  }

  /** Adds what was counted since the last time, and ends what fails too often; what could not be added stays for the next. */
  async flush(): Promise<void> {
    const waiting = [...this.#waiting.values()]
    this.#waiting = new Map()
    for (const [at, each] of waiting.entries()) {
      try {
        await this.#judge(each)
      } catch (error) {
        for (const { canary, attempts, failures } of waiting.slice(at)) this.#add(canary, attempts, failures)
        throw error
      }
    }
  }

  async #judge({ canary, attempts, failures }: Waiting): Promise<void> {
    const { db, catalogue, abort } = this.#parts
    const { modelId, version, tenantId, abortIfErrorRate } = canary
    const isCanary = version === canary.canary
    const table = isCanary ? 'ai_canary_figures' : 'ai_stable_figures'
    const key = { model_id: modelId, version, ...(!isCanary && { canary: canary.canary }) }
    const [row] = await db(table)
      .queryContext({ tenant: tenantId })
      .insert({ ...key, tenant_id: tenantId, attempts, failures })
      .onConflict(Object.keys(key))
      .merge({
        attempts: db.raw('??.attempts + excluded.attempts', [table]),
        failures: db.raw('??.failures + excluded.failures', [table]),
      })
      .returning<readonly { attempts: string; failures: string }[]>(['attempts', 'failures'])
    if (!isCanary || abortIfErrorRate === undefined) return
    const [all, failed] = [Number(row?.attempts), Number(row?.failures)]
    if (all < catalogue().gateway.breaker.minRequests || failed / all <= abortIfErrorRate) return
    await abort({ ...canary, attempts: all, failures: failed })
  }

  #add(canary: WatchedCanary, attempts: number, failures: number): void {
    const key = `${canary.modelId}@${String(canary.canary)}/${String(canary.version)}`
    const known = this.#waiting.get(key) ?? { canary, attempts: 0, failures: 0 }
    known.attempts += attempts
    known.failures += failures
    this.#waiting.set(key, known)
  }
}
