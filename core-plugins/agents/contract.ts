import type { Knex } from 'knex'
import { defineService, type Localised, type Principal } from '#kernel'

/** A tool of a plugin, or of another source, that an agent may call. */
interface AgentTool {
  /** A plugin's name, or what a source names its tools' holder by, such as `mcp:<server>`. */
  readonly plugin: string
  readonly name: string
  /** The user is asked before each call, also where the plugin would not. */
  readonly always_confirm?: boolean
}

/** What an agent is and does, in the words of the wire; a version of it never changes. */
export interface AgentDefinition {
  readonly name: string
  readonly description: string
  readonly avatar_url: string | null
  readonly tags: readonly string[]
  readonly opening_message: string
  readonly suggested_questions: readonly string[]
  /** What the model is told before everything else; never shown in the user area. */
  readonly instructions: string
  /** A model by name, alias or `name@3`. */
  readonly model: string
  /** Null is the model's usual. */
  readonly temperature: number | null
  /** The most that an answer may have; null is the model's usual. */
  readonly max_output_tokens: number | null
  readonly tools: readonly AgentTool[]
  /** Where it looks before it answers; what the user may not read is not found there. */
  readonly knowledge_base_ids?: readonly string[]
  /** What it remembers of its users: told and asked for unless said. */
  readonly memory?: {
    readonly enabled: boolean
    /** Whether a model looks for what is worth remembering after its answers, on the quota of whoever chats. */
    readonly extract: boolean
    /** Whether its model may save something itself. */
    readonly tool: boolean
    /** Whether what it learns is for the tenant's other agents too. */
    readonly scope: 'user' | 'agent'
  }
  /** Which messages are its, where an agent is looked for. */
  readonly routing?: {
    /** Words and phrases of messages. */
    readonly keywords?: readonly string[]
    /** Regular expressions (JavaScript, `iu`) that messages have. */
    readonly patterns?: readonly string[]
    /** Media types of files, such as `image/*`. */
    readonly attachment_types?: readonly string[]
    /** Codes of roles whose holders it answers. */
    readonly roles?: readonly string[]
    /** What people say to it. */
    readonly samples?: readonly string[]
  }
  /** Calls of the model in one run, 1 to 8. */
  readonly max_steps: number
  readonly show_reasoning: boolean
  /** Whether a model makes the titles of conversations, on the quota of whoever chats. */
  readonly generate_titles: boolean
}

/** An agent as it answers: the version that is published. */
export interface PublishedAgent {
  readonly id: string
  readonly tenantId: number
  readonly code: string
  readonly version: number
  readonly definition: AgentDefinition
}

/** An agent that its user may chat with. */
export interface UsableAgent extends PublishedAgent {
  readonly publishedAt: Date
}

/** An agent as it stands beside something of the user's. */
export interface AgentName {
  readonly id: string
  readonly name: string
  readonly avatar_url: string | null
}

/** Finds agents for those who use them. */
export interface AgentDirectory {
  /**
   * The agent by id or code, for somebody who chats. Throws 403/4036 where AI is switched off, 403/4031 without `user_agent:chat`, and
   * 404/4047 for an agent that is not there, not published or not for this user.
   */
  get(user: Principal, agent: string): Promise<PublishedAgent>
  /** All that a user may chat with, by code, a thousand at most; empty without `user_agent:chat`. Throws 403/4036. */
  usable(user: Principal): Promise<readonly UsableAgent[]>
  /**
   * The draft, for an administrator who may change it, as the agent would answer: its version is 0. Throws 404/4047, also for one of another
   * tenant.
   */
  draft(administrator: Principal, agentId: string): Promise<PublishedAgent>
  /** Names of a tenant's agents, deleted ones too. */
  names(tenantId: number, ids: readonly string[]): Promise<ReadonlyMap<string, AgentName>>
  /** Keeps that a user used an agent now. */
  noteUse(user: Principal, agentId: string): Promise<void>
}

/** The knowledge base that an agent of the demo tenant looks in; whoever keeps knowledge bases makes it. */
export const demoKnowledgeBaseId = 'kb_demo'

/** Finds agents for those who use them. */
export const agentDirectory = defineService<AgentDirectory>('agents.directory')

/** A tool that an agent may be given. */
export interface AgentToolOffer {
  readonly plugin: string
  readonly name: string
  readonly title: Localised
  readonly description: Localised
  /** What its plugin, or other holder, is called. */
  readonly holderTitle: Localised
  readonly effect: 'read' | 'write' | 'external'
  /** When the user is asked before a call, unless the agent always asks. */
  readonly confirm: 'never' | 'write' | 'always'
  /** What the user must hold, such as `plugin.acme.shop:read`. */
  readonly permission?: string | undefined
  /** Only a tool that is `on` can be called; the others are those of MCP servers that somebody allowed. */
  readonly state: 'on' | 'awaiting_approval' | 'changed' | 'gone' | 'unfit'
}

/** Tools for agents beside those of plugins; whoever registers brings them to runs itself. */
export interface AgentToolSources {
  /**
   * `list` answers what a tenant's agents may be given, on or not; its queries go through `db`, which may be a transaction that waits for the
   * answer. For as long as the result is not disposed.
   */
  register(source: { list(tenantId: number, db: Knex): Promise<readonly AgentToolOffer[]> }): Disposable
}

/** Tools for agents beside those of plugins. */
export const agentToolSources = defineService<AgentToolSources>('agents.tool_sources')
