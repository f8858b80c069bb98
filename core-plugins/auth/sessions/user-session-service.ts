import type { Knex } from 'knex'
import { NotFoundError, type Page, type Principal } from '#kernel'
import type { Access, Audit } from '../../access/contract.ts'
import type { UserDirectory } from '../../users/contract.ts'
import type { SessionService } from './session-service.ts'
import type { SessionFilter } from './session-store.ts'

/** What the management of others' sessions stands on. */
interface UserSessionParts {
  readonly db: Knex
  readonly sessions: SessionService
  readonly users: UserDirectory
  readonly access: Access
  readonly audit: Audit
}

/** Who ends sessions, for the checks and the log. */
interface SessionWriter {
  readonly principal: Principal
  readonly traceId: string
}

/** The sessions of others, as administrators see and end them; users out of the administrator's scope are not there. */
export class UserSessionService {
  readonly #parts: UserSessionParts

  constructor(parts: UserSessionParts) {
    this.#parts = parts
  }

  async page(principal: Principal, userId: number, page: Page, filter: SessionFilter) {
    await this.#requireInScope(principal, userId)
    const { tenantId, sessionId } = principal
    return this.#parts.sessions.page({ tenantId, userId, sessionId }, page, filter)
  }

  /** Throws 404/4040 for a session that is not there and 403/4031 for a user above the administrator. */
  async end(userId: number, sessionId: string, { principal, traceId }: SessionWriter): Promise<void> {
    await this.#requireBelow(principal, userId)
    const { tenantId } = principal
    const ended = await this.#parts.sessions.revokeOne(tenantId, userId, sessionId, 'admin')
    if (!ended) throw new NotFoundError()
    await this.#record(userId, { session_id: sessionId }, { principal, traceId })
  }

  /** Ends all sessions of a user; answers how many there were. */
  async endAll(userId: number, { principal, traceId }: SessionWriter): Promise<number> {
    await this.#requireBelow(principal, userId)
    const ended = await this.#parts.sessions.revokeUser(principal.tenantId, userId, 'admin')
    await this.#record(userId, { sessions: ended }, { principal, traceId })
    return ended
  }

  async #requireBelow(principal: Principal, userId: number): Promise<void> {
    await this.#requireInScope(principal, userId)
    const { db, access } = this.#parts
    await db.transaction((trx) => access.requireAuthorityOver(principal, principal.tenantId, userId, trx))
  }

  async #requireInScope(principal: Principal, userId: number): Promise<void> {
    const { users, access } = this.#parts
    const { tenantId } = principal
    if (!(await users.find(tenantId, userId))) throw new NotFoundError()
    if (tenantId === 0) return
    const plan = await access.dataScope(principal, 'tenant_user:sessions')
    if (plan.kind === 'all') return
    if (plan.kind === 'none') throw new NotFoundError()
    if (plan.userId === userId) return
    const nodes = (await access.orgsOf(tenantId, [userId])).get(userId) ?? []
    if (!nodes.some((node) => plan.orgIds.includes(node))) throw new NotFoundError()
  }

  async #record(userId: number, after: unknown, { principal, traceId }: SessionWriter): Promise<void> {
    const { tenantId } = principal
    const action = `${tenantId === 0 ? 'platform_user' : 'tenant_user'}.sessions_ended`
    await this.#parts.audit.record({ tenantId, actor: principal, action, target: `user:${userId}`, after, traceId })
  }
}
