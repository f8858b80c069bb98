import { OutcomeUnknownError } from '#kernel'
import type { Knex } from 'knex'
import { OperationTakenOverError } from '../shared/errors.ts'
import type { StepRecord } from '../shared/models.ts'
import type { OperationKind } from '../shared/operation-kinds.ts'
import { stepLists } from './step-lists.ts'
import type { PluginLock } from './plugin-lock.ts'

/** What an operation is told about itself. */
export interface OperationFacts {
  readonly id: string
  readonly plugin: string
  readonly kind: OperationKind
  readonly actor: number | null
  readonly options: Readonly<Record<string, unknown>>
  readonly committed: boolean
  readonly fromRelease: string | null
  /** The last one that was begun. */
  readonly step: string | null
  readonly plan?: readonly string[] | null
  readonly steps: readonly StepRecord[]
  readonly startedAt: Date
}

/** Where in the steps of its kind an operation is: `index` counts from 1. */
export interface StepPlace {
  readonly index: number
  readonly total: number
}

/** An operation in progress: its steps are recorded as they end, and those recorded are not done again. */
export class Operation {
  readonly id: string
  readonly plugin: string
  readonly kind: OperationKind
  readonly actor: number | null
  readonly options: Readonly<Record<string, unknown>>
  /** The version it began with, once that was told. */
  readonly fromRelease: string | null
  readonly startedAt: Date
  /** Aborted when this host stops. */
  readonly signal: AbortSignal
  readonly #db: Knex
  #lock: PluginLock
  readonly #done: Map<string, unknown>
  readonly #onStep: (step: string, place: StepPlace | null) => Promise<void>
  #plan: readonly string[]
  /** Whether the plan is in the record as it is here. */
  #isPlanKept = false
  #begun: string | null
  #committed: boolean
  #isLeft = false

  constructor(
    facts: OperationFacts,
    parts: {
      readonly db: Knex
      readonly lock: PluginLock
      readonly signal: AbortSignal
      readonly onStep: (step: string, place: StepPlace | null) => Promise<void>
    },
  ) {
    this.id = facts.id
    this.plugin = facts.plugin
    this.kind = facts.kind
    this.actor = facts.actor
    this.options = facts.options
    this.fromRelease = facts.fromRelease
    this.startedAt = facts.startedAt
    this.signal = parts.signal
    this.#db = parts.db
    this.#lock = parts.lock
    this.#onStep = parts.onStep
    this.#begun = facts.step
    this.#plan = facts.plan ?? stepLists[facts.kind] ?? []
    this.#committed = facts.committed
    this.#done = new Map(facts.steps.map(({ step, result }) => [step, result]))
  }

  /** Whether what it is about has happened; what follows is only told to others and tidied. */
  get committed(): boolean {
    return this.#committed
  }

  /** The last step that was begun, by whichever host; null before the first. */
  get begun(): string | null {
    return this.#begun
  }

  /** Whether its end was left to whoever recovers it. */
  get isLeft(): boolean {
    return this.#isLeft
  }

  /** Says which steps it takes from here on, in their order, after those that are done; some of them may be left out. */
  follow(steps: readonly string[]): void {
    this.#plan = [...[...this.#done.keys()].filter((done) => !steps.includes(done)), ...steps]
    this.#isPlanKept = false
  }

  /** Says that a step is taken before all those that are to come. */
  precede(step: string): void {
    const done = [...this.#done.keys()]
    this.#plan = [...done, step, ...this.#plan.filter((each) => !done.includes(each))]
    this.#isPlanKept = false
  }

  /** Goes on under the lock of its plugin, once what it needs has come; throws where it was called off or taken over meanwhile. */
  async moveUnder(lock: PluginLock): Promise<void> {
    await this.#patch({ fencing: lock.fencing, place: null })
    this.#lock = lock
  }

  /** Leaves its end to whoever recovers it, because what it had begun could not be put back. */
  leave(): void {
    this.#isLeft = true
  }

  /** Does work outside of the database and records that it was done. */
  async step<T>(name: string, work: () => Promise<T>): Promise<T> {
    if (this.#done.has(name)) return this.#done.get(name) as T
    this.signal.throwIfAborted()
    await this.#announce(name)
    const result = await work()
    await this.#db.transaction((trx) => this.#record(trx, name, result))
    return result
  }

  /** Changes the database and records it, both or neither. */
  async change<T>(
    name: string,
    work: (trx: Knex.Transaction) => Promise<T>,
    { commits = false }: { commits?: boolean } = {},
  ): Promise<T> {
    if (this.#done.has(name)) return this.#done.get(name) as T
    this.signal.throwIfAborted()
    await this.#announce(name)
    return this.guarded(
      async (trx) => {
        const value = await work(trx)
        await this.#record(trx, name, value)
        return value
      },
      { commits },
    )
  }

  /** Changes the database under the lock, as part of a step. */
  async guarded<T>(
    work: (trx: Knex.Transaction) => Promise<T>,
    { commits = false }: { commits?: boolean } = {},
  ): Promise<T> {
    const changing = this.#db.transaction(async (trx) => {
      await this.#lock.guard(trx)
      const value = await work(trx)
      if (commits) await trx('plugin_operations').where({ id: this.id }).update({ committed: true })
      // The work may have taken longer than the lock lives.
      await this.#lock.guard(trx)
      return value
    })
    const result = await changing.catch((error: unknown) => {
      // Whoever recovers it reads what became of it.
      if (error instanceof OutcomeUnknownError) this.leave()
      throw error
    })
    if (commits) this.#committed = true
    return result
  }

  /** The number that whoever takes it over has a higher one of. */
  get fencing(): string {
    return this.#lock.fencing
  }

  /** What a step that is done recorded. */
  result<T>(name: string): T {
    return this.#done.get(name) as T
  }

  /** Writes a fact about the operation itself. */
  async describe(facts: { pluginId?: number; fromRelease?: string; toRelease?: string }): Promise<void> {
    await this.#patch({
      plugin_id: facts.pluginId,
      from_release: facts.fromRelease,
      to_release: facts.toRelease,
    })
  }

  /** Writes how much of the step that runs is done. */
  async measure(progress: { readonly done: number; readonly total: number }): Promise<void> {
    await this.#patch({ progress: JSON.stringify(progress) })
  }

  async #announce(step: string): Promise<void> {
    await this.#patch({ step, progress: null, ...(!this.#isPlanKept && { plan: JSON.stringify(this.#plan) }) })
    this.#isPlanKept = true
    this.#begun = step
    const index = this.#plan.indexOf(step) + 1
    await this.#onStep(step, index > 0 ? { index, total: this.#plan.length } : null)
  }

  /** Who wakes up after another host took over writes nothing more. */
  async #patch(facts: object): Promise<void> {
    const mine = { id: this.id, fencing: this.fencing }
    const patched = await this.#db('plugin_operations').where(mine).update(facts)
    if (patched === 0) throw new OperationTakenOverError()
  }

  async #record(trx: Knex.Transaction, step: string, result: unknown): Promise<void> {
    await this.#lock.guard(trx)
    const record = { step, at: new Date().toISOString(), result: result ?? null }
    await trx('plugin_operations')
      .where({ id: this.id })
      .update({ steps: trx.raw('steps || ?::jsonb', [JSON.stringify([record])]) })
    this.#done.set(step, record.result)
  }
}
