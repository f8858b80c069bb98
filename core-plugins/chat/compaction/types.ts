import type { MessageRow } from '../tables.ts'

/** What compaction reads of a message. */
export type CompactMessage = Pick<MessageRow, 'id' | 'role' | 'content' | 'said'>

/** A question with all that was said until the next one: calls of tools and their results are never in two of them. */
export type Turn = readonly CompactMessage[]

/** What older messages come to, in the words of the wire. */
export interface Summary {
  readonly goal: string
  readonly facts: readonly string[]
  readonly decisions: readonly string[]
  readonly open_items: readonly string[]
  readonly preferences: readonly string[]
  readonly tool_state: readonly string[]
  /** Numbers, dates, ids, addresses and quotations of the user's that stand nowhere else in it. */
  readonly verbatim: readonly string[]
}

/** How a snapshot is made: by a model where one answers, without one otherwise; or as was asked. */
export type CompactMethod = 'auto' | 'summary' | 'extractive'
