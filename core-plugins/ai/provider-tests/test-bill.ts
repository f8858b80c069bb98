import { randomUUID } from 'node:crypto'
import type { Principal } from '#kernel'
import type { AiLedger, AttemptRow, Candidate, Hold } from '../../ai-ledger/contract.ts'
import type { CatalogueModel } from '../catalogue/types.ts'
import { costOfUsage, worstCost } from '../relay/prices.ts'
import { testTokens } from './wishes.ts'

type TokenUsage = AttemptRow['usage']

/** The test's own request: far more than it has in any tokenizer. */
const inputTokens = 400
const ttlMs = 10 * 60_000

/** What a test asks for. */
interface TestedModel {
  readonly providerId: string
  /** As the vendor names it. */
  readonly upstream: string
  /** The model of the catalogue that is called so, for its price. */
  readonly known: CatalogueModel | undefined
}

/** The calls of one test that cost something: each is held and charged as any other, for the purpose `test`. */
export class TestBill {
  readonly #ledger: AiLedger
  readonly #principal: Principal
  readonly #model: TestedModel
  costNano = 0n

  constructor(ledger: AiLedger, principal: Principal, model: TestedModel) {
    this.#ledger = ledger
    this.#principal = principal
    this.#model = model
  }

  /** Does a call that is paid for; throws the name of the quota that keeps it from being done. */
  async pay<T>(
    stream: boolean,
    call: () => Promise<{ readonly usage: TokenUsage | undefined; readonly result: T }>,
  ): Promise<T> {
    const hold = await this.#hold()
    const at = new Date()
    const began = performance.now()
    const end = (usage: TokenUsage, source: 'provider' | 'estimated', isOk: boolean): void => {
      const costNano = isOk ? this.#cost(usage) : 0n
      this.costNano += costNano
      const row = { id: randomUUID(), attempt: 1, at, usage, costNano, listCostNano: costNano, source, stream }
      const about = { durationMs: Math.round(performance.now() - began), possibleCostNano: this.#cost(usage) }
      const { modelId, providerId, model = '', modelVersion = 0 } = this.#candidate
      const named = { modelId, providerId, model, modelVersion }
      hold.end([{ ...row, ...about, ...named, outcome: isOk ? 'ok' : 'upstream_error' }])
    }
    try {
      const { usage: reported, result } = await call()
      const usage = reported && within(reported)
      end(usage ?? tokens(inputTokens, testTokens), usage ? 'provider' : 'estimated', true)
      return result
    } catch (error) {
      end(tokens(0, 0), 'estimated', false)
      throw error
    }
  }

  async #hold(): Promise<Hold> {
    const { tenantId, userId } = this.#principal
    const worst = { requests: 1, inputTokens, outputTokens: testTokens }
    const reserved = await this.#ledger.reserve({
      ...{ requestId: randomUUID(), spender: { tenantId, userId }, purpose: 'test', models: [this.#candidate], ttlMs },
      worst: { ...worst, costNano: worstCost(inputTokens, testTokens, this.#model.known?.prices) },
    })
    if ('hold' in reserved) return reserved.hold
    throw new Error(`The quota ${reserved.refused.quotaName} is used up`)
  }

  get #candidate(): Candidate {
    const { known, providerId, upstream } = this.#model
    if (!known) return { modelId: upstream, model: upstream, modelVersion: 0, providerId, priced: false }
    const { id: modelId, name: model, version: modelVersion, prices } = known
    return { modelId, model, modelVersion, providerId, priced: prices !== undefined }
  }

  #cost(usage: TokenUsage): bigint {
    return costOfUsage(usage, this.#model.known?.prices)
  }
}

/** Nobody is charged for more than is held, whatever a vendor says. */
function within({ inputTokens: input, outputTokens: output }: TokenUsage): TokenUsage {
  const whole = (count: number, most: number): number => Math.min(Math.max(0, Math.floor(count) || 0), most)
  return tokens(whole(input, inputTokens), whole(output, testTokens))
}

function tokens(input: number, output: number): TokenUsage {
  return { inputTokens: input, outputTokens: output, cachedInputTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 }
}
