import type { Knex } from 'knex'
import { DeclarationError, type Said } from '#kernel'
import type { Again, JobKind, LostJob, RunningJob } from '../contract.ts'
import type { Aftermath } from '../queue/end-job.ts'

/** A kind with everything said. */
export interface CompleteKind {
  readonly kind: string
  run(job: RunningJob<never>): void | Again | Promise<void | Again>
  readonly attempts: number
  backoff(attempt: number, error: unknown): number
  isFinal(error: unknown): boolean
  readonly onLost: ((job: LostJob<never>, trx: Knex.Transaction) => Promise<void>) | undefined
  readonly concurrency: number
  readonly groups: (() => ReadonlyMap<string, number>) | undefined
  readonly keepSeconds: number
  readonly keepDeadSeconds: number
}

const hourMs = 3_600_000
const monthSeconds = 30 * 86_400

/** The kinds of jobs that this host runs. */
export class KindTable {
  readonly #kinds = new Map<string, CompleteKind>()

  add<P>(kind: JobKind<P>): Disposable {
    if (this.#kinds.has(kind.kind)) throw new DeclarationError(`Somebody runs jobs of the kind ${kind.kind} already`)
    const complete: CompleteKind = {
      kind: kind.kind,
      run: (job) => kind.run(job),
      attempts: kind.attempts ?? 5,
      backoff: kind.backoff ?? ((attempt) => Math.min(1_000 * 5 ** (attempt - 1), hourMs)),
      isFinal: kind.isFinal ?? (() => false),
      onLost: kind.onLost,
      concurrency: kind.concurrency ?? 8,
      groups: kind.groups,
      keepSeconds: kind.keepSeconds ?? 3_600,
      keepDeadSeconds: kind.keepDeadSeconds ?? monthSeconds,
    }
    this.#kinds.set(kind.kind, complete)
    return { [Symbol.dispose]: () => void this.#kinds.delete(kind.kind) }
  }

  find(kind: string): CompleteKind | undefined {
    return this.#kinds.get(kind)
  }

  /** What follows when a job of a kind comes to nothing. */
  aftermathOf(
    job: Omit<LostJob, 'state' | 'error' | 'said'>,
    state: LostJob['state'],
    said?: Said,
  ): Aftermath | undefined {
    const onLost = this.#kinds.get(job.kind)?.onLost
    if (!onLost) return undefined
    const { id, kind, tenantId, payload } = job
    return (trx) => onLost({ id, kind, tenantId, payload: payload as never, state, error: said?.words, said }, trx)
  }

  list(): readonly CompleteKind[] {
    return [...this.#kinds.values()]
  }
}
