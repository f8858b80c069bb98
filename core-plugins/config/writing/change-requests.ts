import { isDeepStrictEqual } from 'node:util'
import type { Knex } from 'knex'
import type { CatalogueItem } from '../catalogue/catalogue.ts'
import { effectiveValue, type Levels } from '../reading/effective.ts'
import { ChangeDecidedError, ChangePendingError } from '../errors.ts'
import { ChangeRequest, type ChangeState, type StoredTexts } from '../models.ts'
import type { Change } from './plan-write.ts'
import type { ConfigParts } from '../reading/reader.ts'

/** Who decided on a request, and why. */
interface Decision {
  readonly state: Exclude<ChangeState, 'pending' | 'applied'>
  readonly decidedBy: number | null
  readonly reason?: string | undefined
}

/** Changes that wait for the platform; every method that takes a transaction runs under the tenant's lock. */
export class ChangeRequests {
  readonly #parts: ConfigParts

  constructor(parts: ConfigParts) {
    this.#parts = parts
  }

  /** Throws 409/4093 when a request for one of the keys is open. */
  async refuseOpen(trx: Knex.Transaction, tenantId: number, keys: readonly string[]): Promise<void> {
    const open = await this.#open(trx, tenantId, keys)
    if (open.length === 0) return
    const waiting = keys.filter((key) => open.some(({ after }) => Object.hasOwn(after, key)))
    const details = { keys: waiting, change_ids: open.map(({ id }) => id) }
    throw new ChangePendingError({ keys: waiting.join(', ') }, { details })
  }

  /** Ends the open requests for these keys, whose values somebody else has set. */
  async supersede(trx: Knex.Transaction, tenantId: number, keys: readonly string[]): Promise<void> {
    const ids = (await this.#open(trx, tenantId, keys)).map(({ id }) => id)
    await decide(ChangeRequest.of(tenantId, trx).whereIn('id', ids), { state: 'superseded', decidedBy: null })
  }

  /** Keeps changes as one request. */
  async hold(
    trx: Knex.Transaction,
    tenantId: number,
    groupCode: string,
    changes: readonly Change[],
    requestedBy: number | null,
  ): Promise<ChangeRequest> {
    const texts = (pick: (change: Change) => unknown): StoredTexts =>
      Object.fromEntries(
        changes.map((change) => {
          const value = pick(change)
          return [change.item.key, value === undefined ? null : this.#parts.codec.encode(change.item, value)]
        }),
      )
    const [before, after] = [texts((change) => change.before), texts((change) => change.after)]
    return ChangeRequest.of(tenantId, trx)
      .insert({ groupCode, before, after, state: 'pending', requestedBy })
      .returning('*')
  }

  /** A request that nobody has decided on, for whoever decides now; throws 409/4094 for one that is decided. */
  async lock(trx: Knex.Transaction, request: ChangeRequest): Promise<ChangeRequest> {
    const found = await ChangeRequest.of(request.tenantId, trx).findById(request.id).forUpdate()
    if (found?.state !== 'pending') {
      throw new ChangeDecidedError({ state: found?.state ?? 'cancelled' }, { details: { state: found?.state ?? null } })
    }
    return found
  }

  async decide(trx: Knex.Transaction, request: ChangeRequest, decision: Decision): Promise<void> {
    await decide(ChangeRequest.of(request.tenantId, trx).where({ id: request.id }), decision)
  }

  /** Whether the values are still those that the request began from. */
  isCurrent(request: ChangeRequest, items: ReadonlyMap<string, CatalogueItem>, levels: Levels): boolean {
    const { codec } = this.#parts
    return Object.entries(request.before).every(([key, text]) => {
      const item = items.get(key)
      if (!item) return false
      return isDeepStrictEqual(codec.decode(item, text ?? 'null'), effectiveValue(item, levels, codec).value)
    })
  }

  async #open(trx: Knex.Transaction, tenantId: number, keys: readonly string[]): Promise<readonly ChangeRequest[]> {
    const pending = await ChangeRequest.of(tenantId, trx).where({ state: 'pending' }).orderBy('id')
    return pending.filter(({ after }) => keys.some((key) => Object.hasOwn(after, key)))
  }
}

async function decide(
  requests: ReturnType<typeof ChangeRequest.of<ChangeRequest>>,
  { state, decidedBy, reason = '' }: Decision,
): Promise<void> {
  await requests.patch({ state, decidedBy, reason, decidedAt: new Date() })
}
