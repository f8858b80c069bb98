import { TenantModel } from '#kernel'

/** What a memory is about. */
export type MemoryKind = 'fact' | 'preference' | 'goal' | 'event'

/** One thing that is remembered of a user; a deleted one stays, without its text, so that it is not learnt again. */
export class MemoryRow extends TenantModel {
  static override tableName = 'ai_memories'

  declare id: string
  declare userId: number
  /** Of this agent alone; null is all of the tenant's. */
  declare agentId: string | null
  /** Of this conversation alone; null is all of the user's. */
  declare conversationId: string | null
  declare kind: MemoryKind
  declare text: string
  declare normHash: string
  /** 0 to 1. */
  declare confidence: number
  /** The user asked for it, the model saved it, it was learnt after an answer, or the user wrote it. */
  declare origin: 'wish' | 'tool' | 'extraction' | 'user'
  declare sourceMsgs: readonly string[]
  declare sourceConversations: readonly string[]
  declare supersedes: string | null
  declare supersededBy: string | null
  declare expiresAt: Date | null
  declare usedCount: number
  declare usedAt: Date | null
  declare createdAt: Date
  declare updatedAt: Date
  declare deletedAt: Date | null
}

/** How far a conversation has been learnt from. */
export class MemoryStateRow extends TenantModel {
  static override tableName = 'ai_memory_states'
  static override idColumn = 'conversation_id'

  declare conversationId: string
  declare userId: number
  declare watermark: string | null
  /** In a row, of what stands after the watermark. */
  declare failures: number
  declare extractedAt: Date | null
  declare added: number
  declare superseded: number
}

/** Whose memories are written is locked here. */
export class MemoryUserRow extends TenantModel {
  static override tableName = 'ai_memory_users'
  static override idColumn = ['tenant_id', 'user_id']

  declare userId: number
  declare epoch: number
}
