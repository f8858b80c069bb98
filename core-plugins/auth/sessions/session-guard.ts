import { compilePermissionCheck, type Cache, type Restriction } from '#kernel'
import type { Access } from '../../access/contract.ts'
import type { ConfigReader } from '../../config/contract.ts'
import type { UserDirectory, UserStatus } from '../../users/contract.ts'
import type { Actor, RevocationCause } from '../contract.ts'
import { AccountInactiveError, TokenRevokedError } from '../errors.ts'
import type { AccessClaims } from '../tokens/access-tokens.ts'
import { findRestriction } from './restrictions.ts'
import { sessionKey, tombstoneKey } from './session-service.ts'
import type { SessionStore } from './session-store.ts'

const recordSeconds = 60
// Short, because the word about a change may be lost and nothing else tells that a restriction begins.
const userSeconds = 10

/** Where the cache keeps what is known of a user. */
export const userKey = (tenantId: number, userId: number): string => `user:${tenantId}:${userId}`

/** What the cache keeps of a session. */
interface SessionRecord {
  readonly revoked: RevocationCause | 'unknown' | null
}

/** What the cache keeps of a user; null for one who is not there. */
interface KnownUser {
  readonly version: number
  readonly status: UserStatus
  readonly passwordChangeRequired: boolean
  readonly passwordChangedAt: number | null
  readonly twoFactorEnabled: boolean
}

/** What the guard stands on. */
export interface GuardParts {
  readonly cache: Cache
  readonly store: SessionStore
  readonly users: UserDirectory
  readonly access: Access
  readonly config: ConfigReader
}

/** Tells whether a session is still alive: the cache's word, with the database behind it. */
export class SessionGuard {
  readonly #parts: GuardParts

  constructor(parts: GuardParts) {
    this.#parts = parts
  }

  /**
   * What the user has to do before anything else, or null. Throws 401/4014 when the session ended, 403/4034 when its user
   * may not sign in.
   */
  async requireAlive(claims: AccessClaims): Promise<Restriction | null> {
    const { cache } = this.#parts
    const { tenantId, userId, sessionId, version, actor } = claims
    const [record, tombstone, user] = await Promise.all([
      cache.wrap(sessionKey(sessionId), recordSeconds, () => this.#loadSession(claims)),
      cache.get<RevocationCause>(tombstoneKey(sessionId)),
      cache.wrap(userKey(tenantId, userId), userSeconds, () => this.#loadUser(tenantId, userId)),
    ])
    const cause = tombstone ?? record.revoked
    if (cause) throw new TokenRevokedError({ details: { cause } })
    if (!user) throw new TokenRevokedError({ details: { cause: 'user_deleted' } })
    if (user.status !== 'active') throw new AccountInactiveError({ details: { status: user.status } })
    if (user.version !== version) throw new TokenRevokedError({ details: { cause: 'password_changed' } })
    // Who acts in another's place can lift no restriction, and is bound by the own ones where the action was begun.
    if (actor) return this.#requireActor(actor)
    const passwordChangedAt = user.passwordChangedAt === null ? null : new Date(user.passwordChangedAt)
    return findRestriction(this.#parts.config, { ...user, tenantId, passwordChangedAt })
  }

  async #requireActor({ userId }: Actor): Promise<null> {
    const { cache, access } = this.#parts
    const [user, grants] = await Promise.all([
      cache.wrap(userKey(0, userId), userSeconds, () => this.#loadUser(0, userId)),
      access.grantsOf(0, userId),
    ])
    const mayAct = compilePermissionCheck(grants.permissions)('platform_tenant:impersonate')
    if (user?.status !== 'active' || !mayAct) throw new TokenRevokedError({ details: { cause: 'admin' } })
    return null
  }

  async #loadSession({ tenantId, userId, sessionId }: AccessClaims): Promise<SessionRecord> {
    const session = await this.#parts.store.find(tenantId, sessionId)
    if (session?.userId !== userId) return { revoked: 'unknown' }
    return { revoked: session.revokedAt ? (session.revokedCause ?? 'unknown') : null }
  }

  async #loadUser(tenantId: number, userId: number): Promise<KnownUser | null> {
    const user = await this.#parts.users.find(tenantId, userId)
    if (!user) return null
    const { version, status, passwordChangeRequired, twoFactorEnabled } = user
    const passwordChangedAt = user.passwordChangedAt?.getTime() ?? null
    return { version, status, passwordChangeRequired, passwordChangedAt, twoFactorEnabled }
  }
}
