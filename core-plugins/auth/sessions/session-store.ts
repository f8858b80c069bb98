import type { Knex } from 'knex'
import { lockUntilCommit, whatIsGiven, wherePeriod, type Page, type Period } from '#kernel'
import type { Actor, AuthenticationMethods, RevocationCause, SessionOrigin } from '../contract.ts'
import type { NewRefreshToken, RefreshToken } from '../tokens/refresh-tokens.ts'
import type { Lifetimes } from './lifetimes.ts'
import { AuthSession } from './models.ts'

/** A session about to begin. */
interface NewSession {
  readonly tenantId: number
  readonly userId: number
  readonly version: number
  readonly token: NewRefreshToken
  readonly origin: SessionOrigin
  readonly lifetimes: Lifetimes
  readonly methods: AuthenticationMethods
  readonly actor?: Actor | undefined
}

/** A session that has begun, and the ids of those it leaves no room for, the least recently used first. */
interface Begun {
  readonly session: AuthSession
  readonly outnumbered: readonly string[]
}

/** Whose sessions are listed, and which of them is the reader's own. */
export interface SessionOwner {
  readonly tenantId: number
  readonly userId: number
  readonly sessionId: string
}

/** Which of somebody's sessions a list shows; what is left out does not matter. */
export interface SessionFilter extends Period {
  readonly device_name?: string
  readonly ip?: string
  readonly current?: boolean
}

/** Which sessions an endpoint is for. */
export type SessionArea = 'platform' | 'tenant'

const searched = ['device_name', 'ip', 'user_agent']

/** The rows of sessions. */
export class SessionStore {
  readonly #db: Knex

  constructor(db: Knex) {
    this.#db = db
  }

  /** Begins a session. One of somebody who acts in the user's place counts as no device of the user's. */
  async insert({ tenantId, userId, version, token, origin, lifetimes, methods, actor }: NewSession): Promise<Begun> {
    const now = Date.now()
    return this.#db.transaction(async (trx) => {
      // Sign-ins of one user wait for each other, or two at once would each find room for one more.
      await lockUntilCommit(trx, `auth.sessions:${tenantId}:${userId}`)
      const session = await AuthSession.of(tenantId, trx)
        .insert({
          id: token.sessionId,
          userId,
          version,
          nonceHash: token.nonceHash,
          methods: [...methods],
          actorId: actor?.userId ?? null,
          deviceName: origin.deviceName ?? null,
          ip: origin.ip,
          userAgent: origin.userAgent,
          expiresAt: new Date(now + lifetimes.absolute * 1000),
          idleExpiresAt: new Date(now + Math.min(lifetimes.idle, lifetimes.absolute) * 1000),
        })
        .returning('*')
      if (lifetimes.devices === 0 || actor) return { session, outnumbered: [] }
      const others = await this.#living(tenantId, userId, trx)
        .whereNot('id', token.sessionId)
        .whereNull('actor_id')
        .orderBy('last_used_at', 'desc')
        .select('id')
      return { session, outnumbered: others.slice(lifetimes.devices - 1).map(({ id }) => id) }
    })
  }

  async find(tenantId: number, id: string): Promise<AuthSession | undefined> {
    return AuthSession.of(tenantId, this.#db).findById(id)
  }

  /** For whoever brings a token: a refresh token does not tell the tenant, and what an access token says of it is to be checked. */
  async findByToken({ sessionId }: Pick<RefreshToken, 'sessionId'>): Promise<AuthSession | undefined> {
    return AuthSession.acrossTenants(this.#db).findById(sessionId)
  }

  /** Puts the next token in the place of the current one: one conditional update, so of many attempts one succeeds. */
  async rotate(
    current: RefreshToken,
    next: { token: NewRefreshToken; sealed: string; idle: number },
    origin: SessionOrigin,
  ): Promise<AuthSession | undefined> {
    const now = new Date()
    const rows = await AuthSession.acrossTenants(this.#db)
      .patch({
        generation: next.token.generation,
        nonceHash: next.token.nonceHash,
        previousNonceHash: current.nonceHash,
        successor: next.sealed,
        rotatedAt: now,
        lastUsedAt: now,
        idleExpiresAt: new Date(now.getTime() + next.idle * 1000),
        ip: origin.ip,
        userAgent: origin.userAgent,
      })
      .where({ id: current.sessionId, generation: current.generation, nonce_hash: current.nonceHash })
      .whereNull('revoked_at')
      .where('idle_expires_at', '>', now)
      .where('expires_at', '>', now)
      .returning('*')
    return rows[0]
  }

  /** Ends a session; undefined when it had ended. */
  async revoke(id: string, cause: RevocationCause): Promise<AuthSession | undefined> {
    const rows = await AuthSession.acrossTenants(this.#db)
      .patch({ revokedAt: new Date(), revokedCause: cause, successor: null })
      .where('id', id)
      .whereNull('revoked_at')
      .returning('*')
    return rows[0]
  }

  async livingIds(tenantId: number, userId: number): Promise<readonly string[]> {
    const rows = await this.#living(tenantId, userId, this.#db).select('id')
    return rows.map(({ id }) => id)
  }

  /** Living sessions of an administrator of the platform in tenants. */
  async idsActedBy(userId: number): Promise<readonly string[]> {
    const rows = await AuthSession.acrossTenants(this.#db)
      .where('actor_id', userId)
      .whereNull('revoked_at')
      .where('expires_at', '>', new Date())
      .select('id')
    return rows.map(({ id }) => id)
  }

  async page(
    { tenantId, userId, sessionId }: SessionOwner,
    page: Page,
    { current, ip, device_name, from, to }: SessionFilter,
  ): Promise<{ results: AuthSession[]; total: number }> {
    const query = this.#living(tenantId, userId, this.#db).where(whatIsGiven({ ip, device_name }))
    wherePeriod(query, 'created_at', { from, to })
    if (current !== undefined) void query.where('id', current ? '=' : '<>', sessionId)
    const { pattern } = page
    if (pattern !== undefined) {
      void query.where((group) => {
        for (const column of searched) void group.orWhereILike(column, pattern)
      })
    }
    return query.orderBy([...page.sort, { column: 'id' }]).page(page.page - 1, page.size)
  }

  /** Deletes what has been over for a day. */
  async sweep(): Promise<void> {
    const yesterday = new Date(Date.now() - 86_400_000)
    await AuthSession.acrossTenants(this.#db)
      .delete()
      .where('expires_at', '<', yesterday)
      .orWhere('idle_expires_at', '<', yesterday)
      .orWhere('revoked_at', '<', yesterday)
  }

  #living(tenantId: number, userId: number, db: Knex) {
    const now = new Date()
    return AuthSession.of(tenantId, db)
      .where('user_id', userId)
      .whereNull('revoked_at')
      .where('idle_expires_at', '>', now)
      .where('expires_at', '>', now)
  }
}
