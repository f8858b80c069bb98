import type { Knex } from 'knex'
import { lockUntilCommit, type Principal } from '#kernel'
import type { ReadMessage } from '../files/message-files.ts'
import { ConversationRow, MessageRow, RunRow } from '../tables.ts'
import type { WishedPlace } from './place.ts'

/** A message as its sender knows it. */
interface SentMessage extends WishedPlace {
  readonly conversationId: string | undefined
  readonly text: string
  readonly read?: Pick<ReadMessage, 'parts'> | undefined
  readonly clientMessageId: string | undefined
}

/** Whoever sends a message again does so sooner. */
export const within = '10 minutes'
/** One that failed or was cancelled is answered anew. */
export const isAnswered = ['running', 'completed', 'awaiting_confirmation'] as const

/**
 * The run that answers the same message, where its sender sent it before: under the same `client_message_id`, with the same words and
 * files, in the same conversation, or to the same agent as the beginning of a new one. Whoever lost the answer to a request may send it
 * again, and is not answered twice.
 */
export async function sentBefore(
  wish: SentMessage,
  { user, agentId }: { readonly user: Principal; readonly agentId: string },
  trx: Knex.Transaction,
): Promise<{ readonly run: RunRow; readonly conversation: ConversationRow } | undefined> {
  const { conversationId, text, read, clientMessageId } = wish
  if (clientMessageId === undefined || wish.regenerate || wish.continues !== undefined) return undefined
  const { tenantId, userId } = user
  if (conversationId === undefined) {
    // There is no conversation yet that two requests at once would wait for.
    await lockUntilCommit(trx, `chat.message:${JSON.stringify([tenantId, userId, clientMessageId])}`)
  }
  const messages = MessageRow.of(tenantId, trx)
    .where({ client_message_id: clientMessageId, role: 'user', content: text })
    // As the row keeps it.
    .where('parts', JSON.stringify(read?.parts ?? []))
    .where('created_at', '>', trx.raw(`now() - interval '${within}'`))
    .select('id')
  if (conversationId === undefined) messages.whereNull('parent_id')
  else messages.where({ conversation_id: conversationId })
  const run = await RunRow.of(tenantId, trx)
    .where({ user_id: userId, agent_id: agentId, pruned: false })
    .whereIn('status', isAnswered)
    .whereIn('user_message_id', messages)
    .orderBy('started_at', 'desc')
    .first()
  if (!run) return undefined
  const conversation = await ConversationRow.of(tenantId, trx).findById(run.conversationId).whereNull('deleted_at')
  return conversation && { run, conversation }
}
