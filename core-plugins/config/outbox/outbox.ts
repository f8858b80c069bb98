import { randomUUID } from 'node:crypto'
import { raw } from 'objection'
import type { Knex } from 'knex'
import type { Scope } from '#kernel'
import type { JobKind, Jobs } from '../../jobs/contract.ts'
import { configChanged, type ConfigScope } from '../contract.ts'
import type { Effects } from '../extensions/effects.ts'
import { ChangeRequest } from '../models.ts'

/** Values that changed, and the request they came from if there was one. */
export interface Occurrence {
  readonly tenantId: number
  readonly group: string
  readonly scope: ConfigScope
  readonly keys: readonly string[]
  readonly requestId: number | null
}

/** Something that must happen after values changed. */
export interface Consequence extends Occurrence {
  readonly effect: string
  /** Its job's. */
  readonly name: string
}

/** Tells everybody that values changed; it follows every change. */
type Announce = (occurrence: Occurrence) => Promise<void>

const kind = 'config.follow'
/** The effect that tells everybody, which needs no registration. */
const announcement = 'announce'
/** How long the writer has to make it happen, before any host may. */
const writerMs = 30_000
const hourMs = 3_600_000
/** With waits that double up to an hour, about half a day. */
const attempts = 20

/** What must happen after values changed: queued with them in one transaction, tried until it succeeds. */
export class Outbox {
  readonly #scope: Scope
  readonly #jobs: Jobs
  readonly #effects: Effects
  readonly #announce: Announce

  constructor(scope: Scope, jobs: Jobs, effects: Effects, announce: Announce) {
    this.#scope = scope
    this.#jobs = jobs
    this.#effects = effects
    this.#announce = announce
  }

  /** What the queue does of it: all that the writer could not, or died over. */
  get kind(): JobKind<Omit<Consequence, 'tenantId'>> {
    return {
      ...{ kind, attempts, keepSeconds: 0 },
      backoff: (attempt) => Math.min(2 ** (attempt - 1) * 1_000, hourMs),
      run: async (job) => {
        const consequence = { ...job.payload, tenantId: job.tenantId }
        await this.#run(consequence)
        await this.#scope.db.transaction((trx) => markDone(trx, consequence))
      },
    }
  }

  /** Writes down what follows a change; the writer's to `deliver` once the transaction holds. */
  async add(trx: Knex.Transaction, { tenantId, group, ...rest }: Occurrence): Promise<readonly Consequence[]> {
    // Who hears of it for good is told with the change, and everybody else by the job.
    await this.#scope.emitWithin(trx, configChanged, { scope: rest.scope, group, keys: rest.keys, tenantId })
    const effects = [announcement, ...this.#effects.namesFor(rest.keys)]
    const consequences = effects.map((effect) => ({ tenantId, group, ...rest, effect, name: randomUUID() }))
    for (const consequence of consequences) await this.#queue(trx, consequence, writerMs)
    if (rest.requestId !== null) {
      const leftEffects = raw('?::jsonb', JSON.stringify(effects)) as never
      await ChangeRequest.of(tenantId, trx).where({ id: rest.requestId }).patch({ leftEffects })
    }
    return consequences
  }

  /** Makes it happen, one after the other; what fails is left to the queue. */
  async deliver(consequences: readonly Consequence[]): Promise<void> {
    const { db, log } = this.#scope
    for (const consequence of consequences) {
      const { tenantId, effect, name } = consequence
      try {
        await this.#run(consequence)
        await db.transaction(async (trx) => {
          await markDone(trx, consequence)
          await this.#jobs.withdraw(trx, kind, name, tenantId)
        })
      } catch (error) {
        log.warn({ err: error, effect, tenantId }, 'what follows a change of configuration failed and is tried again')
        await db.transaction((trx) => this.#queue(trx, consequence, 1_000))
      }
    }
  }

  /** A second time only brings it forward. */
  async #queue(trx: Knex.Transaction, { tenantId, name, ...payload }: Consequence, delay: number): Promise<void> {
    await this.#jobs.enqueue(trx, kind, { ...payload, name }, { tenant: tenantId, dedupe: name, delay })
  }

  async #run({ effect, tenantId, group, scope, keys, requestId }: Consequence): Promise<void> {
    if (effect === announcement) return this.#announce({ tenantId, group, scope, keys, requestId })
    const found = this.#effects.find(effect)
    if (!found) throw new Error(`nobody registers the effect ${effect}`)
    await found.run({ tenantId, group, keys })
  }
}

/** A request is applied once all has happened that follows from it. */
async function markDone(trx: Knex.Transaction, { tenantId, requestId, effect }: Consequence): Promise<void> {
  if (requestId === null) return
  await ChangeRequest.of(tenantId, trx)
    .where({ id: requestId })
    .patch({
      leftEffects: raw('left_effects - ?::text', effect) as never,
      state: raw(
        `case when state = 'approved' and left_effects - ?::text = '[]' then 'applied' else state end`,
        effect,
      ) as never,
    })
}
