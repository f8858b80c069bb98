import { TenantModel } from '#kernel'
import type { TimelineEntry, TimelineKind } from '../contract.ts'

/** Something that happened in a conversation. */
export class TimelineRow extends TenantModel {
  static override tableName = 'ai_timeline'
  static override idColumn = ['conversation_id', 'seq']
  static override jsonAttributes = ['data']

  declare conversationId: string
  /** Counted from 1 within the conversation, without gaps. */
  declare seq: number
  declare kind: TimelineKind
  declare actorType: TimelineEntry['actor']['type']
  declare actorId: string | null
  declare title: string
  declare refType: string | null
  declare refId: string | null
  declare durationMs: number | null
  declare tokens: number | null
  declare cost: string | null
  declare data: Readonly<Record<string, unknown>>
  declare at: Date
}
