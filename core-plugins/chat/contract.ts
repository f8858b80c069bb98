import type { Readable } from 'node:stream'
import type { Knex } from 'knex'
import { defineService, type Locale, type Principal, type Tenant } from '#kernel'
import type { PublishedAgent } from '../agents/contract.ts'
import type { ToolCaller, ToolOutcome } from '../plugin-offers/contract.ts'

export { chatConversationDeleted, chatConversationUpdated, chatMessageCreated } from './contract-events.ts'

/** Where a question and its answer are kept. */
interface StoredTurn {
  readonly conversationId: string
  /** The question's, and what the answer's will be. */
  readonly userMessageId: string
  readonly messageId: string
}

/** A question that is being answered: one run of an agent. */
export interface ChatTurn {
  readonly runId: string
  /** Where it is kept; null for one that is not: a try of a draft, or an agent asked as a model. */
  readonly stored: StoredTurn | null
  /** Whose permissions hold, and who is told. */
  readonly user: Principal
  readonly tenant: Pick<Tenant, 'id' | 'code'>
  readonly agent: PublishedAgent
  /** What the user asks; of a run that goes on after calls were confirmed, what was asked first. */
  readonly question: string
  /** False where the user wants nothing remembered, neither read nor learnt. */
  readonly usesMemory: boolean
  /** Look in these alone; null for whatever the agent has. */
  readonly knowledgeBaseIds: readonly string[] | null
  readonly locale: Locale
  readonly traceId: string
  /** Aborted when the run is to end. */
  readonly signal: AbortSignal
}

/** A section of what the model is told before the conversation. */
export interface ChatSection {
  /** What it is, in a word, such as `memory`. */
  readonly name: string
  readonly text: string
  /** `instructions` are followed; `data` is put between marks, with the rule that nothing in it is followed. */
  readonly kind: 'instructions' | 'data'
}

/** A tool that a core plugin brings to a run. */
export interface ChatTool {
  /** As the model calls it: letters, digits, `_` and `-`, 64 at most. A name that the run has already is not offered again. */
  readonly name: string
  readonly title: string
  readonly description: string
  /** JSON Schema of the argument, an object; told to the model as it is. */
  readonly schema: Readonly<Record<string, unknown>>
  /** Who brings it, as users see it: a core plugin's name, or a server's. */
  readonly origin: string
  /** Whether the user is asked before each call. */
  readonly asks: boolean
  /** What the user must hold, looked at before each call; 403/4031 is what the model is told otherwise. */
  readonly permission?: string | undefined
  /**
   * Makes a call. The argument is JSON and not checked: what does not fit is answered as 422/4220, after which the model may try once more.
   * A failure is a value; what it throws is told to the model as 500/5008 without a word of it.
   */
  call(input: unknown, caller: ToolCaller & { readonly user: Principal }): Promise<ToolOutcome>
}

/** A source that an answer names as `[index]`, as it stands on the wire. */
export interface ChatCitation {
  readonly index: number
  readonly knowledge_base_id: string
  readonly document_id: string
  readonly chunk_id: string
  readonly title: string
  readonly score: number
  readonly quote: string
}

/** What somebody brings to one run. */
export interface ChatContribution {
  readonly sections?: readonly ChatSection[] | undefined
  readonly tools?: readonly ChatTool[] | undefined
  /** For the event `context.ready`. */
  readonly context?:
    | {
        readonly memories?: number | undefined
        readonly retrieved?: number | undefined
        readonly mode?: string | undefined
      }
    | undefined
  /** The sources that the whole answer names; asked once, when it is whole. */
  readonly cite?: ((answer: string) => readonly ChatCitation[]) | undefined
}

/** A run that answered, as it is kept. */
export interface AnsweredTurn extends Omit<ChatTurn, 'stored' | 'signal'> {
  readonly stored: StoredTurn
  readonly answer: string
  /** Aborted when this host stops. */
  readonly signal: AbortSignal
}

/** A conversation, for those who have something to do with it. */
export interface ChatConversation {
  readonly id: string
  readonly tenantId: number
  readonly userId: number
  readonly agentId: string
}

/** What happens in conversations. */
export type TimelineKind =
  'message' | 'tool' | 'route' | 'compaction' | 'memory' | 'retrieval' | 'guardrail' | 'error' | 'title' | 'quota'

/** Something that happened in a conversation. */
export interface TimelineEntry {
  readonly kind: TimelineKind
  readonly actor: { readonly type: 'user' | 'agent' | 'system' | 'plugin'; readonly id?: string }
  /** Cut to 200 characters. */
  readonly title: string
  readonly ref?: { readonly type: string; readonly id: string } | undefined
  readonly durationMs?: number | undefined
  readonly tokens?: number | undefined
  /** A decimal of the platform's currency. */
  readonly cost?: string | undefined
  readonly data?: Readonly<Record<string, unknown>> | undefined
  readonly at?: Date | undefined
}

/** A file that comes with a message. */
export interface ChatDocument {
  readonly mimeType: string
  readonly filename: string
  /** Its bytes; throws 404/4045. */
  open(): Promise<Readable>
}

/** Takes part in runs; all of it is optional. */
export interface ChatContributor {
  /** The core plugin's, for the log. */
  readonly name: string
  /**
   * Before the model is asked first; of all contributors at the same time. What it throws is why the run does not begin: what may fail
   * without harm is caught by the contributor.
   */
  prepare?(turn: ChatTurn): Promise<ChatContribution>
  /** After a run answered, in the background: what it throws is logged. */
  answered?(turn: AnsweredTurn): Promise<void>
  /** The text of a file; undefined for a kind that is not read here. Throws 400/4008 and 413/4130 for bytes that cannot be read. */
  readDocument?(file: ChatDocument, signal: AbortSignal): Promise<string | undefined>
  /** The terms of a text without those that say nothing of its matter, for finding the agent that speaks of them. */
  termsOf?(text: string): readonly string[]
  /** A conversation is deleted by its user; answers how many memories went with it. `keepsMemories` is what the user asked for. */
  deleted?(conversation: ChatConversation, wish: { readonly keepsMemories: boolean }): Promise<number>
}

/** Lets core plugins take part in runs. */
export interface ChatContributors {
  /** For as long as the result is not disposed. */
  register(contributor: ChatContributor): Disposable
}

/** Lets core plugins take part in runs. */
export const chatContributors = defineService<ChatContributors>('chat.contributors')

/** What was said once. */
export interface ChatMessage {
  readonly id: string
  readonly role: 'user' | 'assistant'
  readonly content: string
}

/** A question to an agent whose answer is not stored. */
interface AgentQuestion {
  /** Whose permissions hold, and who pays. */
  readonly user: Principal
  readonly tenant: Pick<Tenant, 'id' | 'code'>
  /** Its id or code. */
  readonly agent: string
  readonly text: string
  /** The API key that it is asked with. */
  readonly keyId?: string | undefined
  readonly locale: Locale
  readonly traceId: string
  /** Aborted when nobody waits any more. */
  readonly signal: AbortSignal
}

/** Asks agents. */
export interface AgentAsker {
  /** The whole answer. Throws 403/4031, 403/4036, 404/4047, what the gateway throws, and the error with which the answer broke off. */
  ask(question: AgentQuestion): Promise<{ readonly text: string; readonly finish: string }>
  /** For an API key: its user with the rights of this moment, or, of a key that is nobody's, somebody who may use agents that are for all. */
  userOfKey(key: {
    readonly id: string
    readonly tenantId: number
    readonly userId: number | undefined
  }): Promise<Principal>
}

/** Asks agents. */
export const agentAsker = defineService<AgentAsker>('chat.agent_asker')

/** Finds conversations of users. */
export interface ChatConversations {
  /** Adds to what happened in a conversation, in order; of one that is gone, nothing. Within `trx` where one is given. */
  note(
    conversation: Pick<ChatConversation, 'id' | 'tenantId'>,
    entries: readonly TimelineEntry[],
    trx?: Knex.Transaction,
  ): Promise<void>
  /** The user's own. Throws 403/4036 while AI is switched off, and 404/4047, also for somebody else's and a deleted one. */
  find(user: Pick<Principal, 'tenantId' | 'userId'>, conversationId: string): Promise<ChatConversation>
  /** What was said in it after a message, or from its beginning, oldest first, on all branches. Throws 404/4047. */
  messages(
    user: Pick<Principal, 'tenantId' | 'userId'>,
    conversationId: string,
    which: { readonly after: string | null; readonly most: number },
  ): Promise<readonly ChatMessage[]>
  /** The last that was said in it; null where nothing was. Throws 404/4047. */
  lastMessageOf(user: Pick<Principal, 'tenantId' | 'userId'>, conversationId: string): Promise<string | null>
}

/** Finds conversations of users. */
export const chatConversations = defineService<ChatConversations>('chat.conversations')
