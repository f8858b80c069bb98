import type { NeutralMessage } from '../../ai/contract.ts'
import type { ChatTurn } from '../contract.ts'
import type { MessageRow } from '../tables.ts'

/** A conversation up to a question. */
export interface HistoryWish {
  readonly turn: ChatTurn
  /** From its beginning to the question, oldest first. */
  readonly path: readonly MessageRow[]
  /** Calls that the user has decided on. */
  readonly decided: ReadonlySet<string>
  /** Tokens, roughly: what is longer is cut at its beginning. */
  readonly room: number
}

/** What the model is told of a conversation. */
export interface FittedHistory {
  readonly messages: readonly NeutralMessage[]
  /** Where a summary stands for the beginning: of how many messages. */
  readonly compaction: { readonly snapshot_id: string; readonly covered: number } | null
}

/** Makes what the model is told of a conversation. */
export type FitHistory = (wish: HistoryWish) => Promise<FittedHistory>
