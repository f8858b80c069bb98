import type { Knex } from 'knex'
import type { Catalogue, WatchedCanary } from '../../catalogue/types.ts'
import type { AttemptRecord, CallRecord } from '../../relay/call-record.ts'

/** How attempts with a canary went, over all hosts. */
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

/** Ends canaries of which too many attempts fail, as soon as there are enough of them to tell. */
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
    const [row] = await db('ai_canary_figures')
      .queryContext({ tenant: tenantId })
      .insert({ model_id: modelId, version, tenant_id: tenantId, attempts, failures })
      .onConflict(['model_id', 'version'])
      .merge({
        attempts: db.raw('ai_canary_figures.attempts + excluded.attempts'),
        failures: db.raw('ai_canary_figures.failures + excluded.failures'),
      })
      .returning<readonly { attempts: string; failures: string }[]>(['attempts', 'failures'])
    const [all, failed] = [Number(row?.attempts), Number(row?.failures)]
    if (all < catalogue().gateway.breaker.minRequests || failed / all <= abortIfErrorRate) return
    await abort({ ...canary, attempts: all, failures: failed })
  }

  #add(canary: WatchedCanary, attempts: number, failures: number): void {
    const key = `${canary.modelId}@${String(canary.version)}`
    const known = this.#waiting.get(key) ?? { canary, attempts: 0, failures: 0 }
    known.attempts += attempts
    known.failures += failures
    this.#waiting.set(key, known)
  }
}
