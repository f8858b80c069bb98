import { isDeepStrictEqual } from 'node:util'
import type { Knex } from 'knex'
import type { Principal } from '#kernel'
import type { ChatWish } from './chat-wish.ts'
import { ConversationRow, MessageRow, RunRow } from '../tables.ts'
import { isAnswered, within } from '../runs/sent-before.ts'

/**
 * The run that answers the same message, whichever agent was found for it, where its sender sent it before: as `sentBefore`, of one whose
 * agent is still to be looked for. That one may have gone into the named conversation, or begun another.
 */
export async function routedBefore(
  { message, conversation_id: conversationId, client_message_id: clientMessageId }: ChatWish,
  { tenantId, userId }: Principal,
  db: Knex,
): Promise<{ readonly run: RunRow; readonly conversation: ConversationRow } | undefined> {
  if (message === undefined || typeof clientMessageId !== 'string') return undefined
  const runs = await RunRow.of(tenantId, db)
    .where({ user_id: userId, pruned: false })
    .whereIn('status', isAnswered)
    .whereIn(
      'user_message_id',
      MessageRow.of(tenantId, db)
        .where({ client_message_id: clientMessageId, role: 'user' })
        .where('created_at', '>', db.raw(`now() - interval '${within}'`))
        .where((place) => {
          place.whereNull('parent_id')
          if (typeof conversationId === 'string') place.orWhere({ conversation_id: conversationId })
        })
        .select('id'),
    )
    .orderBy('started_at', 'desc')
  for (const run of runs) {
    const sent = await MessageRow.of(tenantId, db).findById(run.userMessageId)
    if (!sent || !isSame(message, sent)) continue
    const conversation = await ConversationRow.of(tenantId, db).findById(run.conversationId).whereNull('deleted_at')
    if (conversation) return { run, conversation }
  }
  return undefined
}

/** Of the same words and files. */
function isSame(message: NonNullable<ChatWish['message']>, { content, parts }: MessageRow): boolean {
  const wished = typeof message === 'string' ? [{ type: 'text' as const, text: message }] : message
  const words = wished.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  if (parts.length === 0) return words.length === wished.length && words.join('\n') === content
  const sent = parts.map((part) =>
    part.type === 'text'
      ? { type: part.type, text: part.text }
      : { type: part.type, attachment_id: part.attachment_id },
  )
  return isDeepStrictEqual(sent, wished)
}
