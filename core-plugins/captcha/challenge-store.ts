import { randomBytes } from 'node:crypto'
import type { Cache } from '#kernel'
import type { CaptchaBinding, CaptchaDifficulty } from './contract.ts'

const idBytes = 18
const idPattern = /^[\w-]{24}$/

/** A challenge that waits for its answer, or was answered and waits for its use. */
export interface KeptChallenge extends CaptchaBinding {
  readonly provider: string
  readonly difficulty: CaptchaDifficulty
  /** What the provider needs when the answer comes. */
  readonly secret: unknown
  /** Milliseconds since 1970. */
  readonly expiresAt: number
}

/**
 * Challenges in the cache. Whoever looks at one takes it out, in one step: of several callers one has it, so that no
 * challenge counts twice. What was taken and is not used up has to be put back.
 */
export class ChallengeStore {
  readonly #waiting: Cache
  readonly #verified: Cache

  constructor(cache: Cache) {
    this.#waiting = cache.withPrefix('waiting:')
    this.#verified = cache.withPrefix('verified:')
  }

  /** Keeps a new challenge; the result is its id, which nobody can guess. */
  async keep(challenge: KeptChallenge): Promise<string> {
    const id = randomBytes(idBytes).toString('base64url')
    await this.putBack(id, challenge)
    return id
  }

  /** Takes a challenge that waits for its answer. */
  take(id: string): Promise<KeptChallenge | undefined> {
    return takeLiving(this.#waiting, id)
  }

  /** Lets a challenge wait for another answer until its time is over. */
  async putBack(id: string, challenge: KeptChallenge): Promise<void> {
    await setLiving(this.#waiting, id, challenge)
  }

  /** Keeps a challenge that was answered well, for so many seconds. */
  async keepVerified(id: string, challenge: KeptChallenge, seconds: number): Promise<void> {
    await setLiving(this.#verified, id, { ...challenge, secret: null, expiresAt: Date.now() + seconds * 1000 })
  }

  /** Takes a challenge that was answered well. */
  takeVerified(id: string): Promise<KeptChallenge | undefined> {
    return takeLiving(this.#verified, id)
  }

  /** Rejects when the cache is away, and with it every challenge. */
  ping(): Promise<void> {
    return this.#waiting.ping()
  }
}

async function setLiving(cache: Cache, id: string, challenge: KeptChallenge): Promise<void> {
  const seconds = (challenge.expiresAt - Date.now()) / 1000
  if (seconds > 0) await cache.set(id, challenge, seconds)
}

async function takeLiving(cache: Cache, id: string): Promise<KeptChallenge | undefined> {
  return idPattern.test(id) ? cache.take<KeptChallenge>(id) : undefined
}
