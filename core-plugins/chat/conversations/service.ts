import { setTimeout as sleep } from 'node:timers/promises'
import type { Knex } from 'knex'
import { presentPage, type Page, type Principal } from '#kernel'
import type { AgentDirectory } from '../../agents/contract.ts'
import type { AiGateway } from '../../ai/contract.ts'
import type { ContributorTable } from '../contributions/contributor-table.ts'
import type { ChatConversations, ChatMessage, TimelineEntry } from '../contract.ts'
import { ConversationNotFoundError, MessageNotFoundError } from '../errors.ts'
import { ConversationRow, MessageRow, type Feedback } from '../tables.ts'
import { pageOfMessages, type MessagePageWish } from './message-page.ts'
import type { ChatNews } from '../news.ts'
import { appendToTimeline } from '../timeline/append.ts'
import { contextOf } from '../timeline/last-context.ts'
import { presentConversation, presentMessage } from './present.ts'

interface ConversationParts {
  readonly contributors: Pick<ContributorTable, 'deleted'>
  readonly db: Knex
  readonly agents: AgentDirectory
  readonly gateway: Pick<AiGateway, 'demandOpen'>
  readonly news: Pick<ChatNews, 'updated' | 'deleted'>
  /** Ends a run before its time, on whichever host it is. */
  readonly cancel: (run: { readonly id: string; readonly tenantId: number }) => Promise<void>
  /** What stands in the place of older messages, if anything does. */
  readonly compactionOf: (conversation: ConversationRow) => Promise<object | null>
  /** Makes a title of what was said; undefined where nothing came of it. */
  readonly makeTitle: (conversation: ConversationRow, user: Principal, traceId: string) => Promise<string | undefined>
}

/** Which conversations a list shows. */
interface ConversationFilter {
  readonly agent_id?: string
  readonly archived?: boolean
  readonly pinned?: boolean
}

interface ConversationChange {
  /** Null makes one of what was said. */
  readonly title?: string | null
  readonly pinned?: boolean
  readonly archived?: boolean
}

/** Whether something is said in a conversation, in the first characters of one of its messages. */
const saying = `exists (select 1 from ai_messages said where said.conversation_id = ai_conversations.id
  and said.tenant_id = ai_conversations.tenant_id and left(said.content, 10000) ilike ?)`
/** Messages that are read to tell those of a page what stands beside them, and such as are told of one place. */
const mostSiblings = 2_000
const mostAtPlace = 100
/** A run that is deleted with its conversation is waited for so long. */
const cancelMs = 5_000

/** The conversations of whoever asks; 403/4036 throughout while AI is switched off. */
export class ConversationService implements ChatConversations {
  readonly #parts: ConversationParts

  constructor(parts: ConversationParts) {
    this.#parts = parts
  }

  /** What is not in the archive, unless that is asked for; looked for by titles and by what was said. */
  async list(user: Principal, page: Page, { agent_id: agentId, archived = false, pinned }: ConversationFilter) {
    await this.#parts.gateway.demandOpen(user.tenantId)
    const query = this.#own(user).where({ archived })
    if (agentId !== undefined) void query.where({ agent_id: agentId })
    if (pinned !== undefined) void query.where({ pinned })
    if (page.pattern !== undefined) void query.whereRaw(`(title ilike ? or ${saying})`, [page.pattern, page.pattern])
    const { results, total } = await query.orderBy([...page.sort, { column: 'id' }]).page(page.page - 1, page.size)
    const names = await this.#parts.agents.names(
      user.tenantId,
      results.map(({ agentId: id }) => id),
    )
    return presentPage(
      page,
      total,
      results.map((row) => presentConversation(row, names.get(row.agentId))),
    )
  }

  /** With its messages, oldest first: the `limit` that come before `before`, or the last ones. Throws 404/4047. */
  async get(user: Principal, id: string, wish: MessagePageWish) {
    const row = await this.find(user, id)
    const { rows: shown, hasMore } = await pageOfMessages(row, wish, this.#parts.db)
    const siblings = await this.#siblings(user.tenantId, id, shown)
    return {
      ...(await this.#present(row)),
      messages: {
        items: shown.map((message) => presentMessage(message, siblings.get(placeOf(message)) ?? [message.id])),
        next_cursor: hasMore ? (shown[0]?.id ?? null) : null,
        has_more: hasMore,
      },
      context: await contextOf(row, this.#parts.db),
      compaction: await this.#parts.compactionOf(row),
    }
  }

  async update(id: string, change: ConversationChange, user: Principal, traceId: string) {
    const row = await this.find(user, id)
    const made = change.title === null ? await this.#parts.makeTitle(row, user, traceId) : undefined
    const title = change.title ?? made
    if (title !== undefined && title !== row.title)
      await this.note(row, [titled(title, change.title === null ? undefined : user.userId)])
    const changed = await this.#own(user).patchAndFetchById(id, {
      ...(title !== undefined && { title, titledBy: change.title === null ? 'model' : 'user' }),
      ...(change.pinned !== undefined && { pinned: change.pinned }),
      ...(change.archived !== undefined && { archived: change.archived }),
    })
    // Deleted meanwhile.
    if (!changed) throw new ConversationNotFoundError()
    await this.#parts.news.updated(user.tenantId, id)
    return this.#present(changed)
  }

  /** Ends what is being written in it; it is gone for good after 30 days. Answers how many memories went with it. */
  async delete(user: Principal, id: string, wish: { readonly keepsMemories: boolean }): Promise<number> {
    await this.#parts.gateway.demandOpen(user.tenantId)
    // First of all, so that no run begins any more.
    const [row] = await this.#own(user).where({ id }).patch({ deletedAt: new Date() }).returning('*')
    if (!row) throw new ConversationNotFoundError()
    await this.#parts.news.deleted(row)
    if (row.activeRunId !== null) await this.#end(row, row.activeRunId)
    return this.#parts.contributors.deleted(row, wish)
  }

  /** What the user thinks of an answer; null takes it back. Throws 404/4040 for what is no answer. */
  async judge(user: Principal, id: string, messageId: string, said: Omit<Feedback, 'at'> | null) {
    await this.find(user, id)
    const feedback = said && { ...said, at: new Date().toISOString() }
    const judged = await MessageRow.of(user.tenantId, this.#parts.db)
      .findById(messageId)
      .where({ conversation_id: id, role: 'assistant' })
      .patch({ feedback })
    if (judged === 0) throw new MessageNotFoundError()
    return { feedback }
  }

  note(...[conversation, entries, trx]: Parameters<ChatConversations['note']>): Promise<void> {
    return appendToTimeline(conversation, entries, trx ?? this.#parts.db)
  }

  /** Throws 403/4036, and 404/4047, also for somebody else's. */
  async find(user: Pick<Principal, 'tenantId' | 'userId'>, id: string): Promise<ConversationRow> {
    await this.#parts.gateway.demandOpen(user.tenantId)
    const row = await this.#own(user).findById(id)
    if (!row) throw new ConversationNotFoundError()
    return row
  }

  async messages(
    user: Pick<Principal, 'tenantId' | 'userId'>,
    id: string,
    { after, most }: { readonly after: string | null; readonly most: number },
  ): Promise<readonly ChatMessage[]> {
    await this.find(user, id)
    const query = MessageRow.of(user.tenantId, this.#parts.db).where({ conversation_id: id }).orderBy('id').limit(most)
    if (after !== null) void query.where('id', '>', after)
    return await query.select('id', 'role', 'content')
  }

  async lastMessageOf(user: Pick<Principal, 'tenantId' | 'userId'>, id: string): Promise<string | null> {
    await this.find(user, id)
    const last = MessageRow.of(user.tenantId, this.#parts.db)
      .where({ conversation_id: id })
      .orderBy('id', 'desc')
      .first()
    return (await last)?.id ?? null
  }

  #own({ tenantId, userId }: Pick<Principal, 'tenantId' | 'userId'>) {
    return ConversationRow.of(tenantId, this.#parts.db).where({ user_id: userId }).whereNull('deleted_at')
  }

  async #present(row: ConversationRow) {
    const names = await this.#parts.agents.names(row.tenantId, [row.agentId])
    return presentConversation(row, names.get(row.agentId))
  }

  async #end({ id, tenantId }: ConversationRow, runId: string): Promise<void> {
    await this.#parts.cancel({ id: runId, tenantId })
    const deadline = performance.now() + cancelMs
    while (performance.now() < deadline) {
      const row = await ConversationRow.of(tenantId, this.#parts.db).findById(id).select('active_run_id')
      if (row?.activeRunId !== runId) return
      await sleep(50)
    }
  }

  /** Messages at the places of those that are shown, by their places: the last of them, where there are very many. */
  async #siblings(
    tenantId: number,
    conversationId: string,
    shown: readonly MessageRow[],
  ): Promise<ReadonlyMap<string, readonly string[]>> {
    const parents = [...new Set(shown.map(({ parentId }) => parentId ?? ''))]
    const rows = await MessageRow.of(tenantId, this.#parts.db)
      .where({ conversation_id: conversationId })
      .whereRaw(`coalesce(parent_id, '') = any (?::text[])`, [parents])
      .orderBy('id', 'desc')
      .limit(mostSiblings)
      .select('id', 'parent_id', 'role')
    const places = Map.groupBy(rows.toReversed(), placeOf)
    return new Map([...places].map(([place, found]) => [place, found.map(({ id }) => id).slice(-mostAtPlace)]))
  }
}

function titled(title: string, userId: number | undefined): TimelineEntry {
  const actor = userId === undefined ? { type: 'system' as const } : { type: 'user' as const, id: String(userId) }
  return { kind: 'title', actor, title }
}

function placeOf({ parentId, role }: Pick<MessageRow, 'parentId' | 'role'>): string {
  return `${role} ${parentId ?? ''}`
}
