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
import { ratedByRules } from './rules.ts'

interface RouterParts {
  readonly agents: Pick<AgentDirectory, 'usable'>
  readonly gateway: Pick<AiGateway, 'run'>
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

type Strategy = 'sticky' | 'rules' | 'lexical' | 'model' | 'default'

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

/** Finds the agent that should answer: the conversation's own, by rules, by words, by a model, and otherwise the usual one. */
export class AgentRouter {
  readonly #parts: RouterParts

  constructor(parts: RouterParts) {
    this.#parts = parts
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
    const decided = (chosen: RatedAgent, strategy: Strategy, cost = '0'): RouteDecision => ({
      ...chosen,
      ...{ strategy, sticky: strategy === 'sticky', fallback: strategy === 'default', cost },
      alternatives: rated.filter(({ agent }) => agent !== chosen.agent).slice(0, wish.limit),
      latencyMs: Math.round(performance.now() - begun),
    })
    const present = own && rated.find(({ agent }) => agent.id === own.agentId)
    if (present && (best === present || (best?.confidence ?? 0) <= leaving)) {
      return decided({ ...present, reason: 'the conversation’s agent' }, 'sticky')
    }
    if (best && best.confidence >= sure) return decided(best, byRules.includes(best) ? 'rules' : 'lexical')
    const model = await this.#parts.config.get<string>('ai_routing_model', user.tenantId, '')
    const chosen =
      model === ''
        ? undefined
        : await askClassifier(this.#parts.gateway, model, message.text, agents, { ...wish, user })
    if (chosen) {
      const { agent, spent } = chosen
      return decided({ agent, confidence: byModel, reason: 'chosen by a model' }, 'model', showMoney(spent.costNano))
    }
    const usual = await this.#usual(user.tenantId, agents)
    const confidence = rated.find(({ agent }) => agent === usual)?.confidence ?? 0
    return decided({ agent: usual, confidence, reason: 'nothing fits well' }, 'default')
  }

  /** What the tenant says, or the first by code. */
  async #usual(tenantId: number, agents: readonly UsableAgent[]): Promise<UsableAgent> {
    const code = await this.#parts.config.get<string>('ai_default_agent', tenantId, '')
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
