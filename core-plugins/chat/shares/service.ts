import type { Knex } from 'knex'
import {
  AppError,
  createOneTimeToken,
  createSortableId,
  hashOneTimeToken,
  type Principal,
  type Tenant,
  type TenantResolver,
} from '#kernel'
import type { AgentDirectory } from '../../agents/contract.ts'
import type { AiGateway } from '../../ai/contract.ts'
import { NothingToShareError, ShareNotFoundError } from '../errors.ts'
import { pathTo } from '../loop/history.ts'
import { ConversationRow, ShareRow } from '../tables.ts'

interface ShareParts {
  readonly db: Knex
  readonly agents: AgentDirectory
  readonly tenants: Pick<TenantResolver, 'byId'>
  readonly gateway: Pick<AiGateway, 'demandOpen'>
  /** Throws 404/4047, also for somebody else's. */
  readonly find: (user: Principal, conversationId: string) => Promise<ConversationRow>
}

/** Links that show a conversation as it is when it is shared: what is said later is not shown, and nothing can be said by them. */
export class ShareService {
  readonly #parts: ShareParts

  constructor(parts: ShareParts) {
    this.#parts = parts
  }

  /** A new link, told this once; the one before leads nowhere from now on. */
  async create(user: Principal, tenant: Tenant, conversationId: string) {
    const { leafId, tenantId } = await this.#parts.find(user, conversationId)
    if (leafId === null) throw new NothingToShareError()
    const { token, hash: tokenHash } = createOneTimeToken('shr_')
    const share = { id: createSortableId('shr'), conversationId, tokenHash, leafId, createdAt: new Date() }
    const row = await ShareRow.of(tenantId, this.#parts.db)
      .insert(share)
      .onConflict('conversation_id')
      .merge()
      .returning('*')
    const url = `${tenant.baseUrl}/api/public/shared-conversations/${token}`
    return { token, url, message_id: leafId, created_at: row.createdAt.toISOString() }
  }

  /** Its link leads nowhere from now on. Answers whether there was one. */
  async revoke(user: Principal, conversationId: string): Promise<boolean> {
    const { tenantId } = await this.#parts.find(user, conversationId)
    return (await ShareRow.of(tenantId, this.#parts.db).delete().where({ conversation_id: conversationId })) > 0
  }

  /** What a link shows: texts alone, without arguments and results of tools. Throws 404/4040. */
  async read(token: string) {
    const { db, agents } = this.#parts
    const share = await ShareRow.acrossTenants(db).findOne({ token_hash: hashOneTimeToken(token) })
    const conversation =
      share && (await ConversationRow.of(share.tenantId, db).findById(share.conversationId).whereNull('deleted_at'))
    if (!share || !conversation || !(await this.#isOpen(share.tenantId))) throw new ShareNotFoundError()
    const messages = await pathTo(share.leafId, share, db)
    const names = await agents.names(share.tenantId, [conversation.agentId])
    const { name = '', avatar_url = null } = names.get(conversation.agentId) ?? {}
    return {
      ...{ title: conversation.title, agent: { name, avatar_url }, shared_at: share.createdAt.toISOString() },
      messages: messages.map(({ role, content, createdAt }) => {
        return { role, content, created_at: createdAt.toISOString() }
      }),
    }
  }

  /** A tenant that is suspended, or has AI switched off, shows nothing. */
  async #isOpen(tenantId: number): Promise<boolean> {
    const { tenants, gateway } = this.#parts
    if ((await tenants.byId(tenantId))?.status !== 'active') return false
    try {
      await gateway.demandOpen(tenantId)
      return true
    } catch (error) {
      if (error instanceof AppError && error.status === 403) return false
      throw error
    }
  }
}
