import type { Changes } from '#kernel'
import { signInChanged } from '../../users/contract.ts'

/** The kind of noted changes that the end of a session is, by its id. */
export const sessionsEnded = 'auth.sessions'

/** Where the cache keeps what is known of callers: elsewhere after each change, so that a record of before is never found again. */
export class CacheKeys {
  readonly #changes: Pick<Changes, 'version'>

  constructor(changes: Pick<Changes, 'version'>) {
    this.#changes = changes
  }

  /** What is known of a session. */
  session(sessionId: string): string {
    return `session:${sessionId}:${this.#changes.version(sessionsEnded, sessionId)}`
  }

  /** What is known of a user. */
  user(tenantId: number, userId: number): string {
    const subject = `${tenantId}:${userId}`
    return `user:${subject}:${this.#changes.version(signInChanged, subject)}`
  }

  /** A mark that outlives every access token of a session, so that a record loaded too early cannot revive it meanwhile. */
  tombstone(sessionId: string): string {
    return `revoked:${sessionId}`
  }
}
