import { TenantModel } from '#kernel'
import type { Summary } from './types.ts'

/** What the older messages of a conversation came to once; never changed. */
export class SnapshotRow extends TenantModel {
  static override tableName = 'ai_compactions'
  static override jsonAttributes = ['summary']

  declare id: string
  declare conversationId: string
  /** Counted from 1 within its conversation. */
  declare version: number
  declare fromId: string
  /** The last message that it covers. */
  declare toId: string
  /** How many it covers. */
  declare messages: number
  declare tailFromId: string | null
  declare tailMessages: number
  declare summary: Summary
  declare text: string
  declare tokensBefore: number
  declare tokensAfter: number
  declare tokensTail: number
  declare fidelity: number
  declare method: 'summary' | 'extractive'
  /** Null where no model made it. */
  declare model: string | null
  declare costNano: string
  declare builtBy: 'auto' | 'user'
  declare sourceHash: string
  declare createdAt: Date
}

/** How far a conversation's compaction is; of one that was never compacted there is none. */
export class CompactionStateRow extends TenantModel {
  static override tableName = 'ai_compaction_states'
  static override idColumn = 'conversation_id'

  declare conversationId: string
  /** Whose work it is at the moment, until when: a host that dies keeps it no longer. */
  declare builder: string | null
  declare buildingUntil: Date | null
  /** Times in a row that no model made a summary. */
  declare failures: number
  declare modelFailedAt: Date | null
  /** When the last attempt broke off, if it did. */
  declare failedAt: Date | null
}
