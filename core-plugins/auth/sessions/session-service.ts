import { randomUUID } from 'node:crypto'
import { presentPage, type Cache, type Page, type Scope } from '#kernel'
import type { Access } from '../../access/contract.ts'
import type { ConfigReader } from '../../config/contract.ts'
import type { UserRecord } from '../../users/contract.ts'
import {
  sessionRevoked,
  type IssuedTokens,
  type RevocationCause,
  type SessionOptions,
  type SessionOrigin,
  type Sessions,
} from '../contract.ts'
import type { AccessTokens } from '../tokens/access-tokens.ts'
import type { RefreshTokens } from '../tokens/refresh-tokens.ts'
import { CacheKeys } from './cache-keys.ts'
import { limitLifetimes, readLifetimes } from './lifetimes.ts'
import type { AuthSession } from './models.ts'
import { presentSession } from './present.ts'
import { findRestriction } from './restrictions.ts'
import type { SessionFilter, SessionOwner, SessionStore } from './session-store.ts'

/** What sessions stand on. */
interface SessionParts {
  readonly scope: Scope
  readonly store: SessionStore
  readonly accessTokens: AccessTokens
  readonly refreshTokens: RefreshTokens
  readonly access: Access
  readonly config: ConfigReader
}

// Longer than any access token lives: `access_token_minutes` ends at 120.
const tombstoneSeconds = 7260

/** Begins, shows and ends sessions. */
export class SessionService implements Sessions {
  readonly #parts: SessionParts
  readonly #cache: Cache
  readonly #keys: CacheKeys

  constructor(parts: SessionParts) {
    this.#parts = parts
    this.#cache = parts.scope.cache
    this.#keys = new CacheKeys(parts.scope.changes)
  }

  async issue(user: UserRecord, origin: SessionOrigin, options: SessionOptions = {}): Promise<IssuedTokens> {
    const { store, refreshTokens, config } = this.#parts
    const { tenantId, id: userId, version } = user
    const { methods = ['pwd'], actor, seconds } = options
    const lifetimes = limitLifetimes(await readLifetimes(config, tenantId), user, seconds)
    const token = refreshTokens.create(randomUUID(), 1)
    const begun = await store.insert({ tenantId, userId, version, token, origin, lifetimes, methods, actor })
    for (const sessionId of begun.outnumbered) await this.revoke(sessionId, 'device_limit')
    return this.pair(begun.session, user, token.text, Math.min(lifetimes.idle, lifetimes.absolute))
  }

  /** A pair of tokens for a session that has so many seconds to live. */
  async pair(session: AuthSession, user: UserRecord, refreshToken: string, seconds: number): Promise<IssuedTokens> {
    const { access, accessTokens, config } = this.#parts
    const { id: sessionId, tenantId, userId, version, methods, createdAt: authenticatedAt } = session
    const [grants, lifetimes, restriction] = await Promise.all([
      access.grantsOf(tenantId, userId),
      readLifetimes(config, tenantId),
      findRestriction(config, user),
    ])
    const roles = grants.roles.map(({ code }) => code)
    const actor = session.actorId === null ? undefined : { userId: session.actorId, tenantId: 0 as const }
    // Who acts in another's place has no refresh token: the access token is the whole session.
    const expiresIn = actor ? seconds : Math.min(lifetimes.access, seconds)
    const claims = { userId, tenantId, sessionId, roles, version, methods, actor, authenticatedAt }
    const accessToken = await accessTokens.sign(claims, expiresIn)
    return { sessionId, accessToken, expiresIn, refreshToken, refreshExpiresIn: seconds, roles, restriction }
  }

  async revoke(sessionId: string, cause: RevocationCause): Promise<boolean> {
    const session = await this.#parts.store.revoke(sessionId, cause)
    if (!session) return false
    await this.#cache.set(this.#keys.tombstone(sessionId), cause, tombstoneSeconds)
    await this.#cache.delete(this.#keys.session(sessionId))
    const { tenantId, userId } = session
    await this.#parts.scope.emit(sessionRevoked, { sessionId, tenantId, userId, cause })
    return true
  }

  async revokeUser(tenantId: number, userId: number, cause: RevocationCause): Promise<number> {
    const ids = await this.#parts.store.livingIds(tenantId, userId)
    const ended = await Promise.all(ids.map((id) => this.revoke(id, cause)))
    return ended.filter(Boolean).length
  }

  /** Ends what an administrator of the platform does in tenants. */
  async revokeActor(userId: number, cause: RevocationCause): Promise<void> {
    for (const id of await this.#parts.store.idsActedBy(userId)) await this.revoke(id, cause)
  }

  async page(owner: SessionOwner, page: Page, filter: SessionFilter) {
    const { results, total } = await this.#parts.store.page(owner, page, filter)
    return presentPage(
      page,
      total,
      results.map((session) => presentSession(session, owner.sessionId)),
    )
  }

  /** Ends one of a user's sessions; false when there is none. */
  async revokeOne(tenantId: number, userId: number, sessionId: string, cause: RevocationCause): Promise<boolean> {
    const session = await this.#parts.store.find(tenantId, sessionId)
    return session?.userId === userId && this.revoke(sessionId, cause)
  }
}
