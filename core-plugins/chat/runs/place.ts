import type { Knex } from 'knex'
import { ConfirmationOverError } from '../errors.ts'
import { refuse } from '../faults.ts'
import { MessageRow, RunRow, type ConversationRow } from '../tables.ts'

/** Where a message is to go. */
export interface WishedPlace {
  /** The message that it comes after; `root` for a new beginning, undefined for the end of the conversation. */
  readonly parentId: string | undefined
  /** Another answer to the question that `parentId` names. */
  readonly regenerate: boolean
  /** The run whose calls are decided on: the answer goes on after that run's. */
  readonly continues: string | undefined
}

/** Where it goes. */
export interface Place {
  /** Of a new question. */
  readonly parentId: string | null
  /** Of a question that is there. */
  readonly questionId?: string
  /** What the answer comes after, where that is not the question. */
  readonly after?: string
}

/** Finds the place of a message in the tree of a conversation. Throws 409/4094 and 422/4229. */
export async function placeOf(wish: WishedPlace, conversation: ConversationRow, trx: Knex): Promise<Place> {
  const { tenantId, id, leafId } = conversation
  if (wish.continues !== undefined) {
    const run = await RunRow.of(tenantId, trx).findById(wish.continues)
    const isLast = run?.conversationId === id && run.status === 'awaiting_confirmation' && run.messageId === leafId
    if (!isLast) throw new ConfirmationOverError()
    return { parentId: null, questionId: run.userMessageId, after: run.messageId }
  }
  if (wish.parentId === undefined) {
    if (wish.regenerate) return refuse('parent_message_id', 'parent_wanted', 'names the question')
    return { parentId: leafId }
  }
  if (wish.parentId === 'root' && !wish.regenerate) return { parentId: null }
  const parent = await MessageRow.of(tenantId, trx).findById(wish.parentId).where({ conversation_id: id })
  if (!parent) return refuse('parent_message_id', 'known_parent', 'is no message of this conversation')
  if (!wish.regenerate) return { parentId: parent.id }
  if (parent.role !== 'user') return refuse('parent_message_id', 'regenerates_question', 'is no question')
  return { parentId: null, questionId: parent.id }
}
