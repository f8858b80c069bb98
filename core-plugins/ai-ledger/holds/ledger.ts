import type { AiLedger, AttemptRow, HoldWish, LedgerState, Refusal, ToolHold, ToolWish } from '../contract.ts'
import type { QuotaTable } from '../quotas/quota-table.ts'
import { claimsOf, unpricedOf, usedOf, type Claim } from './claims.ts'
import type { DeniedCounts } from './denied-counts.ts'
import { LeaseLostError, type HoldStore, type LeasedClaim } from './hold-store.ts'
import type { Journal } from './journal.ts'
import type { Leases } from './leases.ts'
import { OpenHold, type HeldClaim } from './open-hold.ts'
import { priceMissing, refusalOf } from './refusal.ts'
import { partClaims, type Rates, type TakenRate } from './rates.ts'
import type { SettleQueue } from './settle-queue.ts'
import { holdWishOf, toolHoldOf } from './tool-hold.ts'

/** How often a call is tried that others make room for in between. */
const mostTurns = 10

/** What the ledger stands on. */
interface LedgerParts {
  readonly quotas: Pick<QuotaTable, 'of'>
  readonly store: HoldStore
  readonly journal: Journal
  readonly leases: Leases
  readonly rates: Rates
  readonly settling: Pick<SettleQueue, 'add'>
  readonly denied: Pick<DeniedCounts, 'add'>
  readonly state: () => Promise<LedgerState>
}

/** Holds quotas before a call and settles them after it. */
export class Ledger implements AiLedger {
  readonly #parts: LedgerParts

  constructor(parts: LedgerParts) {
    this.#parts = parts
  }

  async reserve(wish: HoldWish): Promise<{ readonly hold: OpenHold } | { readonly refused: Refusal }> {
    const { quotas } = this.#parts
    const at = new Date()
    const applying = await quotas.of(wish.spender.tenantId)
    const unpriced = unpricedOf(wish, applying)
    if (unpriced) return { refused: priceMissing(unpriced) }
    const { rates, sums } = partClaims(claimsOf(wish, applying, at))
    const rated = await this.#parts.rates.take(rates)
    if ('full' in rated) {
      void this.#parts.rates.denied(rated.full.map(({ claim }) => claim))
      return { refused: refusalOf(rated.full) }
    }
    if (sums.length === 0) return { hold: this.#open(wish, at, [], rated.taken) }
    try {
      const answer = await this.#hold(wish, at, sums, rated.taken)
      if ('refused' in answer) await this.#settleRates(rated.taken, () => 0n)
      return answer
    } catch (error) {
      await this.#settleRates(rated.taken, () => 0n)
      throw error
    }
  }

  async tool(wish: ToolWish): Promise<{ readonly hold: ToolHold } | { readonly refused: Refusal }> {
    const answer = await this.reserve(holdWishOf(wish))
    return 'hold' in answer ? { hold: toolHoldOf(answer.hold, wish) } : answer
  }

  state(): Promise<LedgerState> {
    return this.#parts.state()
  }

  async #hold(
    wish: HoldWish,
    at: Date,
    claims: readonly Claim[],
    rates: readonly TakenRate[],
  ): Promise<{ readonly hold: OpenHold } | { readonly refused: Refusal }> {
    for (let turn = 1; ; turn++) {
      const answer = await this.#try({ wish, at, rates }, claims, turn >= mostTurns)
      if (answer) return answer
    }
  }

  /** Undefined where the call did not fit and, by the time that the buckets were looked at, would have: others ended between. */
  async #try(
    { wish, at, rates }: { readonly wish: HoldWish; readonly at: Date; readonly rates: readonly TakenRate[] },
    claims: readonly Claim[],
    isLast: boolean,
  ): Promise<{ readonly hold: OpenHold } | { readonly refused: Refusal } | undefined> {
    const { denied, leases } = this.#parts
    const leased = leases.spend(claims)
    const answer = await this.#reserve(wish, at, leased)
    if (!answer) return undefined
    const { isHeld, standings, isLeased } = answer
    const tried = claims.map((claim, each) => {
      const { used, held } = standings[each] ?? { used: 0n, held: 0n }
      const left = claim.quota.limit - used - held
      return { claim, remaining: left < 0n ? 0n : left }
    })
    if (isHeld) {
      const rests = leased.map((claim) => leases.restOf(claim))
      const held = tried.map(({ claim, remaining }, each) => ({ ...claim, remaining: rests[each] ?? remaining }))
      const hold = this.#open(wish, at, held, rates)
      hold.journal = Promise.resolve()
      return { hold }
    }
    const hard = tried.filter(({ claim }) => claim.quota.mode === 'hard')
    const full = hard.filter(({ claim, remaining }) => remaining < claim.amount)
    if (full.length === 0 && !isLast) return undefined
    // What hosts have of it in advance is as good as free.
    if (isLeased && !isLast) {
      await leases.free(full.map(({ claim }) => claim))
      return undefined
    }
    for (const { claim } of full) denied.add(claim)
    return { refused: refusalOf(full.length > 0 ? full : hard) }
  }

  /** Undefined where a lease that the call was to come from was ended. */
  async #reserve(
    wish: HoldWish,
    at: Date,
    claims: readonly LeasedClaim[],
  ): Promise<Awaited<ReturnType<HoldStore['reserve']>> | undefined> {
    const { store, leases } = this.#parts
    try {
      const answer = await store.reserve(wish, at, claims)
      if (answer.isHeld) leases.written(claims)
      else leases.giveBack(claims)
      return answer
    } catch (error) {
      if (!(error instanceof LeaseLostError)) {
        await leases.doubt(claims)
        throw error
      }
      await leases.lost(claims)
      return undefined
    }
  }

  #open(wish: HoldWish, at: Date, claims: readonly HeldClaim[], rates: readonly TakenRate[]): OpenHold {
    const hold = new OpenHold(wish, at, { claims, rates }, (ended, attempts) => void this.#end(ended, attempts))
    this.#parts.journal.add(hold)
    return hold
  }

  /** What cannot be given back leaves with its window. */
  async #settleRates(taken: readonly TakenRate[], used: (claim: Claim) => bigint): Promise<void> {
    await this.#parts.rates.settle(taken, used).catch(() => undefined)
  }

  async #end(hold: OpenHold, attempts: readonly AttemptRow[]): Promise<void> {
    const { journal, settling } = this.#parts
    await journal.remove(hold)
    const { wish, at, claims, rates } = hold
    await this.#settleRates(rates, (claim) => usedOf(claim, wish.spender, attempts))
    // Nothing reached a provider and nothing was held or written down: there is nothing to settle.
    if (attempts.length === 0 && claims.length === 0 && !hold.journal) return
    const used = claims.map((claim) => ({
      ...{ quota: claim.quota.id, bucket: claim.bucket, used: usedOf(claim, wish.spender, attempts) },
      ...{ owner: claim.quota.tenantId, starts: claim.windowStart },
    }))
    settling.add({ wish, at, attempts, used })
  }
}
