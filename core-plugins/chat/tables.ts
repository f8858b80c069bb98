import { TenantModel } from '#kernel'
import type { NeutralMessage } from '../ai/contract.ts'
import type { ChatCitation } from './contract.ts'
import type { FinishReason, RunStatus, RunUsage, ToolCallRecord } from './run-events.ts'

/** What a conversation ended with. */
interface LastMessage {
  readonly role: 'user' | 'assistant'
  readonly preview: string
  readonly at: string
}

/** A part of a message, as it is shown. */
export type MessagePart =
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'attachment'
      readonly attachment_id: string
      readonly filename: string
      readonly mime_type: string
      /** Bytes. */
      readonly size: number
    }

/** What its user thinks of an answer. */
export interface Feedback {
  readonly rating: 'up' | 'down'
  readonly comment: string
  readonly at: string
}

/** A conversation of one user with one agent. */
export class ConversationRow extends TenantModel {
  static override tableName = 'ai_conversations'
  static override jsonAttributes = ['lastMessage']

  declare id: string
  declare userId: number
  declare agentId: string
  declare title: string
  declare titledBy: 'message' | 'model' | 'user'
  declare pinned: boolean
  declare archived: boolean
  declare messageCount: number
  declare lastMessage: LastMessage | null
  declare leafId: string | null
  declare activeRunId: string | null
  /** The last of its timeline. */
  declare timelineSeq: number
  declare createdAt: Date
  declare updatedAt: Date
  declare deletedAt: Date | null
}

/** One message; an answer's `said` holds the calls of tools and their results too. */
export class MessageRow extends TenantModel {
  static override tableName = 'ai_messages'
  static override jsonAttributes = ['parts', 'said', 'toolCalls', 'citations', 'usage', 'feedback']

  declare id: string
  declare conversationId: string
  declare parentId: string | null
  declare role: 'user' | 'assistant'
  declare content: string
  /** Of a question that is more than its text. */
  declare parts: readonly MessagePart[]
  declare said: readonly NeutralMessage[]
  declare toolCalls: readonly ToolCallRecord[]
  declare citations: readonly ChatCitation[]
  declare finishReason: FinishReason | null
  declare usage: RunUsage | null
  declare feedback: Feedback | null
  declare clientMessageId: string | null
  declare createdAt: Date
}

/** One answer being written, or that was. */
export class RunRow extends TenantModel {
  static override tableName = 'ai_runs'

  declare id: string
  declare userId: number
  declare conversationId: string
  declare agentId: string
  declare agentVersion: number
  declare userMessageId: string
  /** The answer's. */
  declare messageId: string
  /** What the answer comes after. */
  declare parentId: string
  declare status: RunStatus
  declare traceId: string
  declare beatAt: Date
  declare cancelAt: Date | null
  declare startedAt: Date
  declare endedAt: Date | null
  declare pruned: boolean
}

/** One event of a run. */
export class RunEventRow extends TenantModel {
  static override tableName = 'ai_run_events'
  static override idColumn = ['run_id', 'seq']
  static override jsonAttributes = ['data']

  declare runId: string
  declare seq: number
  declare kind: string
  declare data: Readonly<Record<string, unknown>>
  declare at: Date
}

/** A link that shows a conversation to whoever has it; of its token there is a hash alone. */
export class ShareRow extends TenantModel {
  static override tableName = 'ai_conversation_shares'

  declare id: string
  declare conversationId: string
  declare tokenHash: string
  /** The last message that it shows. */
  declare leafId: string
  declare createdAt: Date
}
