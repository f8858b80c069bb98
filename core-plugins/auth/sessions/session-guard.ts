import type { Cache } from '#kernel'
import type { UserDirectory, UserStatus } from '../../users/contract.ts'
import type { RevocationCause } from '../contract.ts'
import { AccountInactiveError, TokenRevokedError } from '../errors.ts'
import type { AccessClaims } from '../tokens/access-tokens.ts'
import { sessionKey, tombstoneKey } from './session-service.ts'
import type { SessionStore } from './session-store.ts'

const recordSeconds = 60

/** What the cache keeps of a session and its user. */
interface SessionRecord {
  readonly revoked: RevocationCause | 'unknown' | null
  readonly version: number
  readonly status: UserStatus
}

/** Tells whether a session is still alive: the cache's word, with the database behind it. */
export class SessionGuard {
  readonly #cache: Cache
  readonly #store: SessionStore
  readonly #users: UserDirectory

  constructor(cache: Cache, store: SessionStore, users: UserDirectory) {
    this.#cache = cache
    this.#store = store
    this.#users = users
  }

  /** Throws 401/4014 when the session ended, 403/4034 when its user may not sign in. */
  async requireAlive(claims: AccessClaims): Promise<void> {
    const [record, tombstone] = await Promise.all([
      this.#cache.wrap(sessionKey(claims.sessionId), recordSeconds, () => this.#load(claims)),
      this.#cache.get<RevocationCause>(tombstoneKey(claims.sessionId)),
    ])
    const cause = tombstone ?? record.revoked
    if (cause) throw new TokenRevokedError({ details: { cause } })
    if (record.status !== 'active') throw new AccountInactiveError({ details: { status: record.status } })
    if (record.version !== claims.version) throw new TokenRevokedError({ details: { cause: 'password_changed' } })
  }

  async #load({ tenantId, userId, sessionId }: AccessClaims): Promise<SessionRecord> {
    const [session, user] = await Promise.all([
      this.#store.find(tenantId, sessionId),
      this.#users.find(tenantId, userId),
    ])
    if (!session || !user || session.userId !== userId) return { revoked: 'unknown', version: 0, status: 'active' }
    const revoked = session.revokedAt ? (session.revokedCause ?? 'unknown') : null
    return { revoked, version: user.version, status: user.status }
  }
}
