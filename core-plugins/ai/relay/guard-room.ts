import { randomUUID } from 'node:crypto'
import type { AiLedger, Hold } from '../../ai-ledger/contract.ts'
import type { CallGuard } from '../guard/call-guard.ts'
import { ContentBlockedError } from '../guard/errors.ts'
import { refusal } from './hold.ts'
import { candidateOf, type Plan, type PlannedCall } from './plan.ts'

const nothing = {
  ...{ inputTokens: 0, cachedInputTokens: 0, cacheWriteTokens: 0, outputTokens: 0, reasoningTokens: 0 },
}
/** Longer than guardrails may take. */
const ttlMs = 10 * 60_000

/** Held while guardrails look at a request, whose own hold comes after them: what they take of the sandbox is charged though it goes no further. */
export class GuardRoom {
  readonly #hold: Hold
  readonly #guard: CallGuard
  readonly #plan: Plan
  readonly #begun = new Date()
  #isOver = false

  private constructor(hold: Hold, guard: CallGuard, plan: Plan) {
    this.#hold = hold
    this.#guard = guard
    this.#plan = plan
  }

  /** Throws 429/4296 and 4290 where quotas of `sandbox_ms` have nothing left; without such quotas that is no round trip. */
  static async take(
    { spender, purpose }: PlannedCall,
    guard: CallGuard,
    plan: Plan,
    ledger: Pick<AiLedger, 'reserve'>,
  ): Promise<GuardRoom> {
    const reserved = await ledger.reserve({
      ...{ requestId: randomUUID(), spender, purpose, ttlMs, inputCostNano: 0n },
      models: plan.legs.map((leg) => ({ ...candidateOf(leg), priced: true })),
      worst: { requests: 0, inputTokens: 0, outputTokens: 0, costNano: 0n, sandboxMs: 1 },
    })
    if ('refused' in reserved) throw refusal(reserved.refused)
    return new GuardRoom(reserved.hold, guard, plan)
  }

  /** The request goes on, and pays for them. */
  leave(): void {
    if (!this.#isOver) this.#hold.end([])
    this.#isOver = true
  }

  /** The request goes no further. One that was blocked is in the ledger however little that took. */
  charge(error: unknown): void {
    if (this.#isOver) return
    this.#isOver = true
    const sandboxMs = Math.ceil(this.#guard.cpuMs)
    const isBlocked = error instanceof ContentBlockedError
    const { id, name, version } = this.#plan.model
    const row = {
      ...{ id: randomUUID(), attempt: 1, at: this.#begun, modelId: id, model: name, modelVersion: version },
      // Nothing reached a provider.
      ...{ providerId: '', usage: nothing, costNano: 0n, listCostNano: 0n, possibleCostNano: 0n, sandboxMs },
      ...({ source: 'provider', outcome: isBlocked ? 'blocked' : 'denied' } as const),
      ...{ durationMs: Date.now() - this.#begun.getTime(), stream: false },
    }
    this.#hold.end(sandboxMs > 0 || isBlocked ? [row] : [])
  }
}
