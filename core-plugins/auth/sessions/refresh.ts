import type { Principal, Scope } from '#kernel'
import type { ConfigReader } from '../../config/contract.ts'
import type { UserDirectory } from '../../users/contract.ts'
import { refreshReused, type IssuedTokens, type SessionOrigin } from '../contract.ts'
import { AccountInactiveError, RefreshInvalidError, RefreshReusedError } from '../errors.ts'
import type { RefreshToken, RefreshTokens } from '../tokens/refresh-tokens.ts'
import { readLifetimes } from './lifetimes.ts'
import type { AuthSession } from './models.ts'
import type { SessionService } from './session-service.ts'
import type { SessionArea, SessionStore } from './session-store.ts'

/** What the exchange stands on. */
export interface RefreshParts {
  readonly scope: Scope
  readonly store: SessionStore
  readonly sessions: SessionService
  readonly refreshTokens: RefreshTokens
  readonly users: UserDirectory
  readonly config: ConfigReader
}

/** New tokens and whose they are. */
export interface Refreshed {
  readonly tokens: IssuedTokens
  readonly tenantId: number
}

/** A session and its user. */
export type SessionOwner = Pick<Principal, 'tenantId' | 'userId' | 'sessionId'>

// Several tabs and lost answers bring the same token twice: within this time they all get the same successor.
const graceMilliseconds = 30_000

/** Exchanges refresh tokens. */
export class RefreshService {
  readonly #parts: RefreshParts

  constructor(parts: RefreshParts) {
    this.#parts = parts
  }

  /** A forged token has no effect at all; a copy of an exchanged one ends the session. */
  async refresh(text: string, area: SessionArea, origin: SessionOrigin): Promise<Refreshed> {
    const token = this.#parts.refreshTokens.read(text)
    const session = token && (await this.#parts.store.findByToken(token))
    if (!token || !session || !isIn(area, session)) throw new RefreshInvalidError()
    await this.#requireUser(session)
    const rotated = await this.#rotate(token, session, origin)
    if (rotated) return rotated
    return this.#repeat(token, session.tenantId, origin)
  }

  /** Whose session a refresh token that still works belongs to. */
  async ownerOf(text: string, area: SessionArea): Promise<SessionOwner | undefined> {
    const token = this.#parts.refreshTokens.read(text)
    const session = token && (await this.#parts.store.findByToken(token))
    if (!session || session.nonceHash !== token.nonceHash || !isIn(area, session) || isOver(session)) return undefined
    return { tenantId: session.tenantId, userId: session.userId, sessionId: session.id }
  }

  async #rotate(token: RefreshToken, session: AuthSession, origin: SessionOrigin): Promise<Refreshed | undefined> {
    const { store, refreshTokens, scope, config } = this.#parts
    const { idle } = await readLifetimes(config, session.tenantId)
    const next = refreshTokens.create(token.sessionId, token.generation + 1)
    const left = Math.min(idle, secondsUntil(session.expiresAt))
    const rotated = await store.rotate(
      token,
      { token: next, sealed: scope.secrets.seal(next.text), idle: left },
      origin,
    )
    return rotated && this.#answer(rotated, next.text)
  }

  /** What to do with a token that is not the current one, by what the row says now. */
  async #repeat(token: RefreshToken, tenantId: number, origin: SessionOrigin): Promise<Refreshed> {
    const { store, scope } = this.#parts
    const session = await store.find(tenantId, token.sessionId)
    if (!session || isOver(session) || token.generation >= session.generation) throw new RefreshInvalidError()
    const isPrevious =
      token.generation === session.generation - 1 && token.nonceHash === session.previousNonceHash && session.successor
    if (isPrevious && Date.now() - (session.rotatedAt?.getTime() ?? 0) <= graceMilliseconds) {
      return this.#answer(session, scope.secrets.open(isPrevious))
    }
    await this.#punish(session, origin)
    throw new RefreshReusedError()
  }

  async #answer(session: AuthSession, text: string): Promise<Refreshed> {
    const tokens = await this.#parts.sessions.pair(session, text, secondsUntil(endOf(session)))
    return { tokens, tenantId: session.tenantId }
  }

  async #punish({ id: sessionId, tenantId, userId }: AuthSession, { ip }: SessionOrigin): Promise<void> {
    await this.#parts.sessions.revoke(sessionId, 'refresh_reused')
    await this.#parts.scope.emit(refreshReused, { sessionId, tenantId, userId, ip })
  }

  /** A session whose credentials were changed is over, also where the word that ends it was lost. */
  async #requireUser({ tenantId, userId, version }: AuthSession): Promise<void> {
    const user = await this.#parts.users.find(tenantId, userId)
    if (user?.version !== version) throw new RefreshInvalidError()
    if (user.status !== 'active') throw new AccountInactiveError({ details: { status: user.status } })
  }
}

function isIn(area: SessionArea, { tenantId }: AuthSession): boolean {
  return (tenantId === 0) === (area === 'platform')
}

function isOver(session: AuthSession): boolean {
  return session.revokedAt !== null || secondsUntil(endOf(session)) <= 0
}

function endOf({ idleExpiresAt, expiresAt }: AuthSession): Date {
  return idleExpiresAt < expiresAt ? idleExpiresAt : expiresAt
}

function secondsUntil(time: Date): number {
  return Math.floor((time.getTime() - Date.now()) / 1000)
}
