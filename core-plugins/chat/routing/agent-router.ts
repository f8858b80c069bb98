import type { Principal } from '#kernel'
import type { AgentDirectory, UsableAgent } from '../../agents/contract.ts'
import type { AiGateway } from '../../ai/contract.ts'
import type { ConfigReader } from '../../config/contract.ts'
import type { ChatConversations } from '../contract.ts'
import { NoAgentError } from '../errors.ts'
import { showMoney } from '../runs/money.ts'
import type { RatedAgent, RoutedMessage } from './candidate.ts'
import { askClassifier } from './classifier.ts'
import { ratedByWords } from './lexical.ts'
import { SemanticRatings } from './semantic.ts'
import { ratedByRules } from './rules.ts'

interface RouterParts {
  readonly agents: Pick<AgentDirectory, 'usable'>
  readonly gateway: Pick<AiGateway, 'run' | 'embed'>
  readonly config: Pick<ConfigReader, 'get'>
  readonly conversations: ChatConversations
  readonly termsOf: (text: string) => readonly string[]
}

/** For what message an agent is looked for. */
export interface RouteWish {
  readonly message: Omit<RoutedMessage, 'roles'>
  readonly conversationId: string | undefined
  /** Ids or codes; all that the user may use unless given. */
  readonly candidates: readonly string[] | undefined
  /** Of alternatives. */
  readonly limit: number
  readonly traceId: string
  readonly signal: AbortSignal
}

type Strategy = 'sticky' | 'rules' | 'lexical' | 'embedding' | 'model' | 'default'

/** Which agent should answer. */
export interface RouteDecision {
  readonly agent: UsableAgent
  readonly confidence: number
  readonly strategy: Strategy
  readonly reason: string
  readonly sticky: boolean
  readonly alternatives: readonly RatedAgent[]
  readonly fallback: boolean
  readonly latencyMs: number
  /** A decimal of the platform's currency. */
  readonly cost: string
}

/** Surer than this of another agent, a conversation's own is left. */
const leaving = 0.85
/** Surer than this, nobody else is asked. */
const sure = 0.35
const byModel = 0.7

/** Finds the agent that should answer: the conversation's own, by rules, by words, by meaning, by a model, and otherwise the usual one. */
export class AgentRouter {
  readonly #parts: RouterParts
  readonly #meanings: SemanticRatings

  constructor(parts: RouterParts) {
    this.#parts = parts
    this.#meanings = new SemanticRatings(parts.gateway)
  }

  /** Throws 403/4036, 404/4047 where there is no agent for this user, and of a conversation of somebody else. */
  async route(user: Principal, wish: RouteWish): Promise<RouteDecision> {
    const begun = performance.now()
    const { conversationId, candidates, message } = wish
    const usable = await this.#parts.agents.usable(user)
    const agents = usable.filter(({ id, code }) => !candidates || candidates.includes(id) || candidates.includes(code))
    const own = conversationId === undefined ? undefined : await this.#parts.conversations.find(user, conversationId)
    if (agents.length === 0) throw new NoAgentError()
    const byRules = ratedByRules({ ...message, roles: user.roles }, agents)
    const byWords = ratedByWords(message.text, agents, this.#parts.termsOf)
    const rated = merged(byRules, byWords)
    const [best] = rated
    const decided = (chosen: RatedAgent, strategy: Strategy, costNano = 0n): RouteDecision => ({
      ...chosen,
      ...{ strategy, sticky: strategy === 'sticky', fallback: strategy === 'default' },
      cost: costNano === 0n ? '0' : showMoney(costNano),
      alternatives: rated.filter(({ agent }) => agent !== chosen.agent).slice(0, wish.limit),
      latencyMs: Math.round(performance.now() - begun),
    })
    const present = own && rated.find(({ agent }) => agent.id === own.agentId)
    if (present && (best === present || (best?.confidence ?? 0) <= leaving)) {
      return decided({ ...present, reason: 'the conversation’s agent' }, 'sticky')
    }
    if (best && best.confidence >= sure) return decided(best, byRules.includes(best) ? 'rules' : 'lexical')
    const near = await this.#byMeaning(user, agents, wish)
    const [nearest] = near?.rated ?? []
    const spentNano = near?.costNano ?? 0n
    if (nearest && nearest.confidence >= sure) return decided(nearest, 'embedding', spentNano)
    const model = await this.#setting('ai_routing_model', user)
    const chosen =
      model === ''
        ? undefined
        : await askClassifier(this.#parts.gateway, model, message.text, agents, { ...wish, user })
    if (chosen) {
      const { agent, spent } = chosen
      return decided({ agent, confidence: byModel, reason: 'chosen by a model' }, 'model', spentNano + spent.costNano)
    }
    const usual = await this.#usual(user, agents)
    const confidence = rated.find(({ agent }) => agent === usual)?.confidence ?? 0
    return decided({ agent: usual, confidence, reason: 'nothing fits well' }, 'default', spentNano)
  }

  /** Undefined where the tenant names no embedding model. */
  async #byMeaning(user: Principal, agents: readonly UsableAgent[], { message, traceId, signal }: RouteWish) {
    const model = await this.#setting('ai_routing_embedding_model', user)
    return model === '' ? undefined : this.#meanings.rate(message.text, agents, { model, user, traceId, signal })
  }

  #setting(key: string, { tenantId }: Principal): Promise<string> {
    return this.#parts.config.get<string>(key, tenantId, '')
  }

  /** What the tenant says, or the first by code. */
  async #usual(user: Principal, agents: readonly UsableAgent[]): Promise<UsableAgent> {
    const code = await this.#setting('ai_default_agent', user)
    const [first] = agents
    const usual = agents.find((agent) => agent.code === code || agent.id === code) ?? first
    if (!usual) throw new NoAgentError()
    return usual
  }
}

/** Rules stand before words. */
function merged(byRules: readonly RatedAgent[], byWords: readonly RatedAgent[]): readonly RatedAgent[] {
  const ruled = new Set(byRules.map(({ agent }) => agent))
  const all = [...byRules, ...byWords.filter(({ agent }) => !ruled.has(agent))]
  return all.sort((a, b) => b.confidence - a.confidence)
}
