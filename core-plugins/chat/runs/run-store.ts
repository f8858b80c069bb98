import type { Knex } from 'knex'
import { createSortableId, type Principal } from '#kernel'
import type { PublishedAgent } from '../../agents/contract.ts'
import type { ReadMessage } from '../files/message-files.ts'
import { holdFiles, type FileHolds } from '../files/hold-files.ts'
import { ConversationBusyError, ConversationNotFoundError } from '../errors.ts'
import { ConversationRow, MessageRow, RunRow } from '../tables.ts'
import { placeOf, type Place, type WishedPlace } from './place.ts'
import { sentBefore } from './sent-before.ts'

/** A message that is to be answered. */
export interface NewMessage extends WishedPlace {
  readonly conversationId: string | undefined
  /** In words. */
  readonly text: string
  /** What it is made of, where that is more than words. */
  readonly read?: Pick<ReadMessage, 'parts' | 'said' | 'files'> | undefined
  /** By which its sender knows it. */
  readonly clientMessageId: string | undefined
}

/** What a run begins with. */
export interface BegunRun {
  readonly run: RunRow
  readonly conversation: ConversationRow
  /** The messages up to the question, where that is the first one. */
  readonly path?: readonly MessageRow[] | undefined
  readonly isNew: boolean
  /** Whether the question is a new message, and not one that is answered again. */
  readonly isAsked: boolean
  /** Whether the same message was sent before, and this is the run that answers it. */
  readonly isSentBefore: boolean
}

const titleCharacters = 60
const previewCharacters = 160

/**
 * Writes down that a message is being answered, and the message: for one run of a conversation at a time. Throws 404/4047, 409/4094
 * `conversation_busy`, and 422/4229.
 */
export async function beginRun(
  wish: NewMessage,
  { user, agent, traceId }: { readonly user: Principal; readonly agent: PublishedAgent; readonly traceId: string },
  holds: FileHolds,
  db: Knex,
): Promise<BegunRun> {
  const { tenantId, userId } = user
  const now = Date.now()
  // Messages are listed by their ids: the answer's comes after the question's.
  const [runId, askId, answerId] = [
    createSortableId('run'),
    createSortableId('msg', now),
    createSortableId('msg', now + 1),
  ]
  return db.transaction(async (trx) => {
    const { conversationId } = wish
    const known = conversationId === undefined ? undefined : await lockConversation(conversationId, user, trx)
    const before = await sentBefore(wish, { user, agentId: agent.id }, trx)
    if (before) return { ...before, isNew: false, isAsked: false, isSentBefore: true }
    const isNew = known === undefined
    const begins = { messageCount: 1, lastMessage: lastOf('user', wish.text), activeRunId: runId }
    const conversation =
      known ??
      (await ConversationRow.of(tenantId, trx)
        .insert({
          ...{ id: createSortableId('cnv'), userId, agentId: agent.id },
          ...{ title: titleOf(wish.text), titledBy: 'message', ...begins },
        })
        .returning('*'))
    if (conversation.agentId !== agent.id) throw new ConversationNotFoundError()
    const { activeRunId } = conversation
    if (!isNew && activeRunId !== null) throw new ConversationBusyError({ details: { run_id: activeRunId } })
    const place = await placeOf(wish, conversation, trx)
    const isAsked = place.questionId === undefined
    const question = isAsked ? await addQuestion(wish, { id: askId, place, conversation }, holds, trx) : undefined
    const questionId = place.questionId ?? askId
    const run = await RunRow.of(tenantId, trx)
      .insert({
        ...{ id: runId, userId, conversationId: conversation.id, agentId: agent.id, agentVersion: agent.version },
        ...{ userMessageId: questionId, messageId: answerId, parentId: place.after ?? questionId },
        ...{ status: 'running', traceId },
      })
      .returning('*')
    if (!isNew) {
      const counted = { ...begins, messageCount: conversation.messageCount + 1 }
      await ConversationRow.of(tenantId, trx)
        .findById(conversation.id)
        .patch({ updatedAt: new Date(), activeRunId: runId, ...(isAsked && counted) })
    }
    const path = question?.parentId === null ? [question] : undefined
    return { run, conversation, path, isNew, isAsked, isSentBefore: false }
  })
}

/** A question as a message of its own, which holds its files. */
async function addQuestion(
  { text, read, clientMessageId }: NewMessage,
  { id, place, conversation }: { readonly id: string; readonly place: Place; readonly conversation: ConversationRow },
  holds: FileHolds,
  trx: Knex.Transaction,
): Promise<MessageRow> {
  const { id: conversationId, tenantId } = conversation
  const { parts = [], said = [{ type: 'text' as const, text }], files = [] } = read ?? {}
  const row = await MessageRow.of(tenantId, trx)
    .insert({
      ...{ id, conversationId, parentId: place.parentId, role: 'user', content: text, parts },
      ...{
        said: [{ role: 'user', parts: said }],
        toolCalls: [],
        citations: [],
        clientMessageId: clientMessageId ?? null,
      },
    })
    .returning('*')
  if (files.length > 0) await holdFiles({ id, tenantId }, files, holds, trx)
  return row
}

/** Takes back a run that was not let in: as if nobody had asked. */
export async function forgetRun(
  { run, conversation, isNew, isAsked }: BegunRun,
  holds: FileHolds,
  db: Knex,
): Promise<void> {
  const { tenantId } = run
  await db.transaction(async (trx) => {
    await ConversationRow.of(tenantId, trx).findById(conversation.id).forUpdate().select('id')
    if (isAsked) await holdFiles({ id: run.userMessageId, tenantId }, [], holds, trx)
    if (isNew) return void (await ConversationRow.of(tenantId, trx).findById(conversation.id).delete())
    await RunRow.of(tenantId, trx).findById(run.id).delete()
    const messages = MessageRow.of(tenantId, trx).findById(run.userMessageId)
    const deleted =
      run.parentId === run.userMessageId ? await messages.delete().where('created_at', '>=', run.startedAt) : 0
    await ConversationRow.of(tenantId, trx)
      .findById(conversation.id)
      .where({ active_run_id: run.id })
      .patch({
        ...{ activeRunId: null, updatedAt: conversation.updatedAt },
        ...(deleted > 0 && { messageCount: conversation.messageCount, lastMessage: conversation.lastMessage }),
      })
  })
}

/** The user's own, locked. Throws 404/4047. */
async function lockConversation(id: string, { tenantId, userId }: Principal, trx: Knex): Promise<ConversationRow> {
  const row = await ConversationRow.of(tenantId, trx)
    .findById(id)
    .where({ user_id: userId })
    .whereNull('deleted_at')
    .forUpdate()
  if (!row) throw new ConversationNotFoundError()
  return row
}

/** What a conversation shows of its last message. */
export function lastOf(role: 'user' | 'assistant', text: string) {
  return { role, preview: cut(text, previewCharacters), at: new Date().toISOString() }
}

/** What a conversation is called before anybody names it: what it begins with. */
export function titleOf(text: string): string {
  return cut(text, titleCharacters) || '…'
}

function cut(text: string, most: number): string {
  const line = text.replace(/\s+/g, ' ').trim()
  const characters = [...line.slice(0, most * 2)]
  return characters.length > most ? `${characters.slice(0, most - 1).join('')}…` : line
}
