import type { Principal, Scope, Tenant } from '#kernel'
import type { ConfigReader } from '../../config/contract.ts'
import type { MessageSender } from '../../mail/contract.ts'
import type { UserDirectory, UserRecord } from '../../users/contract.ts'
import { refreshReused, type IssuedTokens, type SessionOrigin } from '../contract.ts'
import { AccountInactiveError, RefreshInvalidError, RefreshReusedError } from '../errors.ts'
import type { FrontDoor } from '../sign-in/front-door.ts'
import type { RefreshToken, RefreshTokens } from '../tokens/refresh-tokens.ts'
import { readLifetimes } from './lifetimes.ts'
import type { AuthSession } from './models.ts'
import type { SessionService } from './session-service.ts'
import type { SessionArea, SessionStore } from './session-store.ts'

/** What the exchange stands on. */
interface RefreshParts {
  readonly scope: Scope
  readonly store: SessionStore
  readonly sessions: SessionService
  readonly refreshTokens: RefreshTokens
  readonly users: UserDirectory
  readonly config: ConfigReader
  readonly door: FrontDoor
  readonly mail: MessageSender
}

/** New tokens and whose they are. */
interface Refreshed {
  readonly tokens: IssuedTokens
  readonly tenant: Tenant | null
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
    const tenant = await this.#parts.door.reenter(session.tenantId, origin.ip)
    const user = await this.#requireUser(session)
    const rotated = await this.#rotate(token, session, user, origin)
    return { tokens: rotated ?? (await this.#repeat(token, user, origin)), tenant }
  }

  /** Whose session a refresh token that still works belongs to. */
  async ownerOf(text: string, area: SessionArea): Promise<SessionOwner | undefined> {
    const token = this.#parts.refreshTokens.read(text)
    const session = token && (await this.#parts.store.findByToken(token))
    if (!session || session.nonceHash !== token.nonceHash || !isIn(area, session) || isOver(session)) return undefined
    return { tenantId: session.tenantId, userId: session.userId, sessionId: session.id }
  }

  async #rotate(
    token: RefreshToken,
    session: AuthSession,
    user: UserRecord,
    origin: SessionOrigin,
  ): Promise<IssuedTokens | undefined> {
    const { store, refreshTokens, scope, config } = this.#parts
    const { idle } = await readLifetimes(config, session.tenantId)
    const next = refreshTokens.create(token.sessionId, token.generation + 1)
    const left = Math.min(idle, secondsUntil(session.expiresAt))
    const rotated = await store.rotate(
      token,
      { token: next, sealed: scope.secrets.seal(next.text), idle: left },
      origin,
    )
    return rotated && this.#answer(rotated, user, next.text)
  }

  /** What to do with a token that is not the current one, by what the row says now. */
  async #repeat(token: RefreshToken, user: UserRecord, origin: SessionOrigin): Promise<IssuedTokens> {
    const { store, scope } = this.#parts
    const session = await store.find(user.tenantId, token.sessionId)
    if (!session || isOver(session) || token.generation >= session.generation) throw new RefreshInvalidError()
    const isPrevious =
      token.generation === session.generation - 1 && token.nonceHash === session.previousNonceHash && session.successor
    if (isPrevious && Date.now() - (session.rotatedAt?.getTime() ?? 0) <= graceMilliseconds) {
      return this.#answer(session, user, scope.secrets.open(isPrevious))
    }
    await this.#punish(session, user, origin)
    throw new RefreshReusedError()
  }

  #answer(session: AuthSession, user: UserRecord, text: string): Promise<IssuedTokens> {
    return this.#parts.sessions.pair(session, user, text, secondsUntil(endOf(session)))
  }

  async #punish({ id: sessionId, tenantId, userId }: AuthSession, user: UserRecord, origin: SessionOrigin) {
    const { sessions, scope, mail } = this.#parts
    await sessions.revoke(sessionId, 'refresh_reused')
    await scope.emit(refreshReused, { sessionId, tenantId, userId, ip: origin.ip })
    if (user.email === null) return
    const values = { nickname: user.nickname, ip: origin.ip, device: origin.userAgent, time: new Date().toISOString() }
    const { email: to, locale } = user
    try {
      await mail.send({ tenantId, channel: 'email', to, template: 'refresh_reused', values, locale })
    } catch (error) {
      scope.log.error({ err: error }, 'a notice of a copied refresh token was not sent')
    }
  }

  /** A session whose credentials were changed is over, also where the word that ends it was lost. */
  async #requireUser({ tenantId, userId, version }: AuthSession): Promise<UserRecord> {
    const user = await this.#parts.users.find(tenantId, userId)
    if (user?.version !== version) throw new RefreshInvalidError()
    if (user.status !== 'active') throw new AccountInactiveError({ details: { status: user.status } })
    return user
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
