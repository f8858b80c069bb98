import { compilePermissionCheck, type Cache, type Changes, type Restriction } from '#kernel'
import type { Access } from '../../access/contract.ts'
import type { ConfigReader } from '../../config/contract.ts'
import type { UserDirectory, UserStatus } from '../../users/contract.ts'
import type { Actor, RevocationCause } from '../contract.ts'
import { AccountInactiveError, TokenInvalidError, TokenRevokedError } from '../errors.ts'
import type { AccessClaims } from '../tokens/access-tokens.ts'
import { CacheKeys } from './cache-keys.ts'
import { findRestriction } from './restrictions.ts'
import type { SessionStore } from './session-store.ts'

const recordSeconds = 60
// Short, because nobody changes a row when a password grows too old.
const userSeconds = 10

/** What the cache keeps of a session, whoever asked for it; null for one that is not there. */
interface SessionRecord {
  readonly tenantId: number
  readonly userId: number
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
interface GuardParts {
  readonly cache: Cache
  readonly changes: Pick<Changes, 'version'>
  readonly store: SessionStore
  readonly users: UserDirectory
  readonly access: Access
  readonly config: ConfigReader
}

/** Tells whether a session is still alive: the cache's word, with the database behind it. */
export class SessionGuard {
  readonly #parts: GuardParts
  readonly #keys: CacheKeys

  constructor(parts: GuardParts) {
    this.#parts = parts
    this.#keys = new CacheKeys(parts.changes)
  }

  /**
   * What the user has to do before anything else, or null. Throws 401/4013 for a token that is not the session's, 401/4014 when
   * the session ended, 403/4034 when its user
   * may not sign in.
   */
  async requireAlive(claims: AccessClaims): Promise<Restriction | null> {
    const { cache } = this.#parts
    const { tenantId, userId, sessionId, version, actor } = claims
    const [record, tombstone, user] = await Promise.all([
      cache.wrap(this.#keys.session(sessionId), recordSeconds, () => this.#loadSession(sessionId)),
      cache.get<RevocationCause>(this.#keys.tombstone(sessionId)),
      cache.wrap(this.#keys.user(tenantId, userId), userSeconds, () => this.#loadUser(tenantId, userId)),
    ])
    if (record && (record.userId !== userId || record.tenantId !== tenantId)) throw new TokenInvalidError()
    const cause = tombstone ?? (record ? record.revoked : 'unknown')
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
      cache.wrap(this.#keys.user(0, userId), userSeconds, () => this.#loadUser(0, userId)),
      access.grantsOf(0, userId),
    ])
    const mayAct = compilePermissionCheck(grants.permissions)('platform_tenant:impersonate')
    if (user?.status !== 'active' || !mayAct) throw new TokenRevokedError({ details: { cause: 'admin' } })
    return null
  }

  /** By its id alone, not by what a token says of it, so that no token can make the record another. */
  async #loadSession(sessionId: string): Promise<SessionRecord | null> {
    const session = await this.#parts.store.findByToken({ sessionId })
    if (!session) return null
    const { tenantId, userId, revokedAt, revokedCause } = session
    return { tenantId, userId, revoked: revokedAt ? (revokedCause ?? 'unknown') : null }
  }

  async #loadUser(tenantId: number, userId: number): Promise<KnownUser | null> {
    const user = await this.#parts.users.find(tenantId, userId)
    if (!user) return null
    const { version, status, passwordChangeRequired, twoFactorEnabled } = user
    const passwordChangedAt = user.passwordChangedAt?.getTime() ?? null
    return { version, status, passwordChangeRequired, passwordChangedAt, twoFactorEnabled }
  }
}
