import { randomBytes } from 'node:crypto'
import type { Cache } from '#kernel'

interface Session {
  readonly caller: string
  readonly revision: string
}

/** Without a request for so long a session is over. */
const idleSeconds = 30 * 60

/** Sessions of revisions that have them: names that nobody guesses, each good for who opened it. Shared by all hosts, and lost without harm. */
export class McpSessions {
  readonly #cache: Cache

  constructor(cache: Cache) {
    this.#cache = cache.withPrefix('session:')
  }

  /** Answers its name. */
  async open(session: Session): Promise<string> {
    const id = randomBytes(32).toString('base64url')
    await this.#cache.set(id, session, idleSeconds)
    return id
  }

  /** The revision that is spoken in a session of this caller's; undefined for one that is over, or somebody else's. */
  async use(id: string, caller: string): Promise<string | undefined> {
    if (!/^[\w-]{43}$/.test(id)) return undefined
    const session = await this.#cache.get<Session>(id)
    if (session?.caller !== caller) return undefined
    await this.#cache.set(id, session, idleSeconds)
    return session.revision
  }

  /** Whether a session of this caller's goes on; to ask does not lengthen it. */
  async isOpen(id: string, caller: string): Promise<boolean> {
    return (await this.#cache.get<Session>(id))?.caller === caller
  }

  /** Ends it; false for one that is over, or somebody else's. */
  async end(id: string, caller: string): Promise<boolean> {
    if ((await this.use(id, caller)) === undefined) return false
    await this.#cache.delete(id)
    return true
  }
}
