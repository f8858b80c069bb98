import { createHash } from 'node:crypto'
import type { AiGateway } from '../../ai/contract.ts'
import type { UsableAgent } from '../../agents/contract.ts'
import { clearOf } from './clear-of.ts'
import { wordsOfAgent } from './words-of-agent.ts'

const patienceMs = 800
const mostAgents = 100
const mostCharacters = 2_000
/** Vectors of agents that are remembered. */
const mostVectors = 1_000

/** By whom and for whom agents are compared with a message. */
interface SemanticWish {
  /** An embedding model by name. */
  readonly model: string
  readonly user: { readonly tenantId: number; readonly userId: number }
  readonly traceId: string
  readonly signal: AbortSignal
}

/** Rates agents by how near in meaning they are to a message. What an agent says of itself is turned into a vector once. */
export class SemanticRatings {
  readonly #gateway: Pick<AiGateway, 'embed'>
  readonly #vectors = new Map<string, Float32Array>()

  constructor(gateway: Pick<AiGateway, 'embed'>) {
    this.#gateway = gateway
  }

  /** Undefined where the model fails, is too slow, or the quota of routing is used up. */
  async rate(text: string, agents: readonly UsableAgent[], wish: SemanticWish) {
    const { model, user, traceId } = wish
    const asked = text.slice(0, mostCharacters).toWellFormed()
    if (asked.trim() === '') return undefined
    const candidates = agents.slice(0, mostAgents).map((agent) => {
      const words = wordsOfAgent(agent).slice(0, mostCharacters).toWellFormed()
      return { agent, words, key: keyOf(user.tenantId, model, words) }
    })
    const unknown = candidates.filter(({ key }) => !this.#vectors.has(key))
    try {
      const { vectors, costNano } = await this.#gateway.embed({
        ...{ spender: { tenantId: user.tenantId, userId: user.userId }, purpose: 'routing', traceId },
        signal: AbortSignal.any([wish.signal, AbortSignal.timeout(patienceMs)]),
        request: { model, input: [asked, ...unknown.map(({ words }) => words)], extra: {} },
      })
      const [question = [], ...rest] = vectors
      for (const [at, { key }] of unknown.entries()) this.#remember(key, rest[at] ?? [])
      const near = candidates.flatMap(({ agent, key }) => {
        const vector = this.#vectors.get(key)
        return vector ? [{ agent, share: Math.max(0, cosine(question, vector)) }] : []
      })
      return { rated: clearOf(near, () => 'near in meaning'), costNano }
    } catch {
      return undefined
    }
  }

  #remember(key: string, vector: readonly number[]): void {
    const [oldest] = this.#vectors.keys()
    if (this.#vectors.size >= mostVectors && oldest !== undefined) this.#vectors.delete(oldest)
    this.#vectors.set(key, Float32Array.from(vector))
  }
}

function keyOf(tenantId: number, model: string, words: string): string {
  return createHash('sha256')
    .update(`${String(tenantId)}\n${model}\n${words}`)
    .digest('base64')
}

function cosine(a: readonly number[], b: Float32Array): number {
  if (a.length !== b.length) return 0
  let [product, ofA, ofB] = [0, 0, 0]
  for (const [at, value] of a.entries()) {
    const other = b[at] ?? 0
    product += value * other
    ofA += value * value
    ofB += other * other
  }
  return ofA > 0 && ofB > 0 ? product / Math.sqrt(ofA * ofB) : 0
}
