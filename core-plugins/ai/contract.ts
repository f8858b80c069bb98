import type { Knex } from 'knex'
import { defineEvent, defineService, type Locale } from '#kernel'
import type { AiKey, AttemptRow, Purpose, Spender } from '../ai-ledger/contract.ts'
import type { NeutralEmbeddingRequest, NeutralEvent, NeutralRequest, NeutralUsage } from './contract-neutral.ts'

export type {
  FinishReason,
  NeutralEvent,
  NeutralMessage,
  NeutralPart,
  NeutralRequest,
  NeutralTool,
} from './contract-neutral.ts'

/** Whose call it is, and what for. */
interface CallBy {
  /** Pays for it. */
  readonly spender: Spender
  readonly purpose: Purpose
  /** Aborted when nobody waits any more: the provider's connection is closed at once. */
  readonly signal: AbortSignal
  readonly traceId: string
}

/** A call of a model; its answer comes as a stream where the request says so, as one batch of steps otherwise. */
export interface AiCall extends CallBy {
  /** The model by name, alias, or `name@3` for a version. */
  readonly request: NeutralRequest
  /**
   * What becomes of a stream that breaks off after something was said: it ends with the error, or is gone on with once, by the next target with
   * what was said so far. Not where a call or JSON is under way.
   */
  readonly afterFirstToken?: 'terminate' | 'continue' | undefined
  /** Calls of one key go to one target where the route is `sticky`, such as a conversation's id. */
  readonly sticky?: string | undefined
  /** Told once it is let in and held for, before any provider is asked: what fails from now on is no refusal. */
  readonly admitted?: (() => void) | undefined
  /** Told once, however a call that was let in ends: what it took, and undefined where nothing reached a provider. */
  readonly settled?: ((spent: AiSpent | undefined) => void) | undefined
}

/** Texts to be turned into vectors. */
export interface AiEmbedCall extends CallBy {
  readonly request: NeutralEmbeddingRequest
}

/** A step of an answer; `switched` tells that another target took over, where it is `committed` after something was said. */
export type AiEvent =
  | NeutralEvent
  | {
      readonly type: 'switched'
      readonly from: string
      readonly to: string
      readonly reason: string
      /** 2 for the first that took over. */
      readonly attempt: number
      readonly committed: boolean
    }

/** What a call took. */
export interface AiSpent {
  readonly usage: NeutralUsage
  /** Nano-units of the platform's currency, over all attempts. */
  readonly costNano: bigint
  readonly source: AttemptRow['source']
  readonly attempts: number
  readonly model: string
  readonly provider: string
}

/** A call that is being answered. */
export interface AiRun {
  readonly requestId: string
  /** To be read once, to its end; throws the AppError with which the answer broke off: 502/5021. */
  readonly events: AsyncIterable<AiEvent>
  /** What it took; rejects as `events` throws. */
  readonly done: Promise<AiSpent>
}

/** A model as whoever chooses one sees it. */
export interface AiModelInfo {
  readonly id: string
  readonly name: string
  readonly displayName: string
  readonly kind: 'chat' | 'embedding'
  readonly contextWindow: number | undefined
  readonly maxOutputTokens: number | undefined
  readonly capabilities: Readonly<Record<string, boolean>>
}

/** A model as it would be called now: one version of it. */
export interface AiCallableModel {
  readonly name: string
  readonly version: number
  readonly contextWindow: number | undefined
  readonly maxOutputTokens: number | undefined
  /** For requests that do not say. */
  readonly defaultOutputTokens: number | undefined
  readonly capabilities: Readonly<Record<string, boolean>>
}

/** Calls AI models: on a tenant's quotas, over routes with failover, with every attempt in the ledger. */
export interface AiGateway {
  /**
   * Throws what keeps it from being answered: 403/4036 where AI is switched off, 404/4048 for an unknown model, 400/4002 for what the model
   * cannot take, 429/4290, 4296 and 4298 for quotas, 502/5021 where every attempt failed, 503/5034 where no target takes it.
   */
  run(call: AiCall): Promise<AiRun>
  /** Throws the same. */
  embed(call: AiEmbedCall): Promise<{ readonly vectors: readonly (readonly number[])[] } & AiSpent>
  /** The models that a tenant may use. */
  models(tenantId: number): readonly AiModelInfo[]
  /** By name, alias, or `name@3`; undefined where the tenant has none such. */
  find(model: string, tenantId: number): AiCallableModel | undefined
  /** Throws 403/4036 where AI is switched off, for the tenant or for everybody. */
  demandOpen(tenantId: number): Promise<void>
}

/** Calls AI models. */
export const aiGateway = defineService<AiGateway>('ai.gateway')

/** An API key that calls an agent as a model. */
export interface AgentModelCaller {
  readonly key: Pick<AiKey, 'id' | 'tenantId' | 'userId'>
  /** The stored conversation that it goes on with, or `new`; undefined for an answer that is not stored. */
  readonly conversationId: string | undefined
  /** What its costs are shown by. */
  readonly tags: readonly string[]
  readonly locale: Locale
  readonly traceId: string
  /** Aborted when nobody waits any more. */
  readonly signal: AbortSignal
}

/** An agent that answers as the model `agent:<code>`. */
export interface AgentModel {
  readonly code: string
  readonly displayName: string
  readonly createdAt: Date
}

/** Agents as models of `/v1`; their tools run here, so that a client sees text alone. */
export interface AgentModels {
  /** Those that a key's user may use; none where AI is switched off. */
  list(caller: Pick<AgentModelCaller, 'key'>): Promise<readonly AgentModel[]>
  /**
   * Begins to answer, once it is let in. Throws 403/4031, 403/4036, 404/4047, 400/4002 for what an agent cannot be told, and what the
   * gateway throws; the events throw the error with which an answer broke off.
   */
  start(
    code: string,
    request: NeutralRequest,
    caller: AgentModelCaller,
  ): Promise<{ readonly headers: Readonly<Record<string, string>>; readonly events: AsyncIterable<NeutralEvent> }>
}

/** What clients of OpenAI and Anthropic speak to. */
interface AiSurfaces {
  /** Agents answer there as models, for as long as the result is not disposed. */
  registerAgents(agents: AgentModels): Disposable
}

/** Whoever names models, and would miss one. */
export interface AiModelUsers {
  /**
   * `naming` answers who of a tenant, or of all where none is given, goes by one of these names of a model; its queries go through `db`, which
   * is a transaction that waits for the answer. For as long as the result is not disposed.
   */
  register(users: {
    /** Under which they are told. */
    readonly kind: string
    naming(tenantId: number | undefined, names: readonly string[], db: Knex): Promise<readonly string[]>
  }): Disposable
}

/** Whoever names models, and would miss one. */
export const aiModelUsers = defineService<AiModelUsers>('ai.model_users')

/** What clients of OpenAI and Anthropic speak to. */
export const aiSurfaces = defineService<AiSurfaces>('ai.surfaces')

/** The kind of noted changes that every change of models and their providers is; for those who keep what comes of one. */
export const catalogueChanged = 'ai.catalogue'

/** Something that is, or was, wrong with AI. */
interface AiAlert {
  /** 0 is the platform. */
  readonly tenantId: number
  readonly id: string
  /** The rule's name, or what the alert is about where there is no rule. */
  readonly rule: string
  readonly rule_id: string | null
  readonly metric: string
  /** ISO 8601. */
  readonly since: string
  readonly value: number
}

/** An alert began. */
export const aiAlertRaised = defineEvent<AiAlert>('ai.alert_raised')

/** An alert is over. */
export const aiAlertResolved = defineEvent<AiAlert>('ai.alert_resolved')
