import { randomUUID } from 'node:crypto'
import { presentPage, type Cache, type Page, type Scope } from '#kernel'
import type { Access } from '../../access/contract.ts'
import type { ConfigReader } from '../../config/contract.ts'
import type { UserRecord } from '../../users/contract.ts'
import {
  sessionRevoked,
  type IssuedTokens,
  type RevocationCause,
  type SessionOrigin,
  type Sessions,
} from '../contract.ts'
import type { AccessTokens } from '../tokens/access-tokens.ts'
import type { RefreshTokens } from '../tokens/refresh-tokens.ts'
import { readLifetimes } from './lifetimes.ts'
import type { AuthSession } from './models.ts'
import { presentSession } from './present.ts'
import type { SessionStore } from './session-store.ts'

/** What sessions stand on. */
export interface SessionParts {
  readonly scope: Scope
  readonly store: SessionStore
  readonly accessTokens: AccessTokens
  readonly refreshTokens: RefreshTokens
  readonly access: Access
  readonly config: ConfigReader
}

// Longer than any access token lives: `access_token_minutes` ends at 120.
const tombstoneSeconds = 7260

/** Where the cache keeps what is known of a session, and that it ended. */
export const sessionKey = (sessionId: string): string => `session:${sessionId}`
/** A mark that outlives every access token of a session, so that a record loaded too early cannot revive it. */
export const tombstoneKey = (sessionId: string): string => `revoked:${sessionId}`

/** Begins, shows and ends sessions. */
export class SessionService implements Sessions {
  readonly #parts: SessionParts
  readonly #cache: Cache

  constructor(parts: SessionParts) {
    this.#parts = parts
    this.#cache = parts.scope.cache
  }

  async issue(user: UserRecord, origin: SessionOrigin): Promise<IssuedTokens> {
    const { store, refreshTokens, config } = this.#parts
    const { tenantId, id: userId, version } = user
    const lifetimes = await readLifetimes(config, tenantId)
    const token = refreshTokens.create(randomUUID(), 1)
    const outnumbered = await store.insert({ tenantId, userId, version, token, origin, lifetimes })
    for (const sessionId of outnumbered) await this.revoke(sessionId, 'device_limit')
    const seconds = Math.min(lifetimes.idle, lifetimes.absolute)
    return this.pair({ id: token.sessionId, tenantId, userId, version }, token.text, seconds)
  }

  /** A pair of tokens for a session that has so many seconds to live. */
  async pair(
    { id: sessionId, tenantId, userId, version }: Pick<AuthSession, 'id' | 'tenantId' | 'userId' | 'version'>,
    refreshToken: string,
    refreshExpiresIn: number,
  ): Promise<IssuedTokens> {
    const { access, accessTokens, config } = this.#parts
    const [grants, lifetimes] = await Promise.all([access.grantsOf(tenantId, userId), readLifetimes(config, tenantId)])
    const roles = grants.roles.map(({ code }) => code)
    const expiresIn = Math.min(lifetimes.access, refreshExpiresIn)
    const accessToken = await accessTokens.sign({ userId, tenantId, sessionId, roles, version }, expiresIn)
    return { sessionId, accessToken, expiresIn, refreshToken, refreshExpiresIn, roles }
  }

  async revoke(sessionId: string, cause: RevocationCause): Promise<boolean> {
    const session = await this.#parts.store.revoke(sessionId, cause)
    if (!session) return false
    await this.#cache.set(tombstoneKey(sessionId), cause, tombstoneSeconds)
    await this.#cache.delete(sessionKey(sessionId))
    const { tenantId, userId } = session
    await this.#parts.scope.emit(sessionRevoked, { sessionId, tenantId, userId, cause })
    return true
  }

  async revokeUser(tenantId: number, userId: number, cause: RevocationCause): Promise<number> {
    const ids = await this.#parts.store.livingIds(tenantId, userId)
    const ended = await Promise.all(ids.map((id) => this.revoke(id, cause)))
    return ended.filter(Boolean).length
  }

  async page(tenantId: number, userId: number, page: Page, current: string) {
    const { results, total } = await this.#parts.store.page(tenantId, userId, page)
    return presentPage(
      page,
      total,
      results.map((session) => presentSession(session, current)),
    )
  }

  /** Ends one of the user's own sessions; false when there is none. */
  async revokeOwn(tenantId: number, userId: number, sessionId: string): Promise<boolean> {
    const session = await this.#parts.store.find(tenantId, sessionId)
    return session?.userId === userId && this.revoke(sessionId, 'logout')
  }
}
