import type { Scope } from '#kernel'
import { chatConversationDeleted, chatConversationUpdated, chatMessageCreated } from './contract-events.ts'
import { ConversationRow, type RunRow } from './tables.ts'

/** Tells of conversations, for the other windows of their users; what fails stops no answer. */
export class ChatNews {
  readonly #scope: Pick<Scope, 'db' | 'emit' | 'log'>

  constructor(scope: Pick<Scope, 'db' | 'emit' | 'log'>) {
    this.#scope = scope
  }

  /** A question was let in; with `isAsked` it is a new one. */
  async began({ run, isAsked }: { readonly run: RunRow; readonly isAsked: boolean }): Promise<void> {
    if (isAsked) await this.#message(run, run.userMessageId, 'user')
    await this.updated(run.tenantId, run.conversationId)
  }

  /** A run is over, and its answer kept. */
  async ended(run: RunRow): Promise<void> {
    await this.#message(run, run.messageId, 'assistant')
    await this.updated(run.tenantId, run.conversationId)
  }

  async updated(tenantId: number, id: string): Promise<void> {
    await this.#safely(async ({ db, emit }) => {
      const row = await ConversationRow.of(tenantId, db).findById(id).whereNull('deleted_at')
      if (!row) return
      const { userId, title, updatedAt } = row
      await emit(chatConversationUpdated, { tenantId, userId, id, title, updatedAt: updatedAt.toISOString() })
    })
  }

  async deleted({ tenantId, userId, id }: Pick<ConversationRow, 'tenantId' | 'userId' | 'id'>): Promise<void> {
    await this.#safely(({ emit }) => emit(chatConversationDeleted, { tenantId, userId, id }))
  }

  async #message(run: RunRow, messageId: string, role: 'user' | 'assistant'): Promise<void> {
    const { tenantId, userId, conversationId } = run
    await this.#safely(({ emit }) => emit(chatMessageCreated, { tenantId, userId, conversationId, messageId, role }))
  }

  async #safely(work: (scope: Pick<Scope, 'db' | 'emit'>) => Promise<unknown>): Promise<void> {
    const { db, log } = this.#scope
    try {
      await work({ db, emit: (event, payload) => this.#scope.emit(event, payload) })
    } catch (error) {
      log.warn({ err: error }, 'nobody was told of a conversation')
    }
  }
}
