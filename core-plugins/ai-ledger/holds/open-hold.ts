import type { Allowance, AttemptRow, Candidate, Hold, HoldWish } from '../contract.ts'
import type { Claim } from './claims.ts'
import type { TakenRate } from './rates.ts'

/** What is done with a hold that ends. */
type EndHold = (hold: OpenHold, attempts: readonly AttemptRow[]) => void

/** A claim that is held, and what was left of it afterwards. */
export interface HeldClaim extends Claim {
  readonly remaining: bigint | undefined
}

/** A request that is running on this host. */
export class OpenHold implements Hold {
  readonly requestId: string
  readonly wish: HoldWish
  readonly at: Date
  readonly claims: readonly HeldClaim[]
  readonly rates: readonly TakenRate[]
  readonly begun = performance.now()
  /** Its row is in the database, or is being written. */
  journal: Promise<void> | undefined
  output = 0
  /** Whether it told how far it is since that was last written down. */
  isTold = false
  by: Candidate | undefined
  readonly #end: EndHold
  #isEnded = false

  constructor(
    wish: HoldWish,
    at: Date,
    { claims, rates }: { readonly claims: readonly HeldClaim[]; readonly rates: readonly TakenRate[] },
    end: EndHold,
  ) {
    this.requestId = wish.requestId
    this.wish = wish
    this.at = at
    this.claims = claims
    this.rates = rates
    this.#end = end
  }

  get remaining(): Hold['remaining'] {
    const requests = this.#tightest(['requests'])
    const tokens = this.#tightest(['tokens', 'input_tokens', 'output_tokens'])
    return { ...(requests && { requests }), ...(tokens && { tokens }) }
  }

  progress(outputTokens: number, by?: Candidate): void {
    this.output = outputTokens
    this.isTold = true
    this.by = by ?? this.by
  }

  end(attempts: readonly AttemptRow[]): void {
    if (this.#isEnded) return
    this.#isEnded = true
    this.#end(this, attempts)
  }

  #tightest(metrics: readonly string[]): Allowance | undefined {
    let found: Allowance | undefined
    for (const { quota, remaining, resetsAt } of [...this.rates, ...this.claims]) {
      if (!metrics.includes(quota.metric) || remaining === undefined) continue
      if (found && Number(remaining) >= found.remaining) continue
      found = { limit: Number(quota.limit), remaining: Math.max(0, Number(remaining)), resetsAt }
    }
    return found
  }
}
