import {
  AppError,
  createOneTimeToken,
  hashOneTimeToken,
  type Authenticator,
  type Cache,
  type Credential,
  type SecretBox,
} from '#kernel'
import type { TicketHolder, WsTickets } from '../contract.ts'

/** How long a ticket is good, in seconds. */
export const ticketSeconds = 30

/**
 * One-use tickets for connections whose clients cannot send an Authorization header. A ticket stands for the access token it
 * was given for, so it ends when that or its session does.
 */
export class SessionTickets implements WsTickets {
  readonly #cache: Cache
  readonly #secrets: SecretBox
  readonly #authenticator: Authenticator

  constructor(cache: Cache, secrets: SecretBox, authenticator: Authenticator) {
    this.#cache = cache
    this.#secrets = secrets
    this.#authenticator = authenticator
  }

  /** A ticket for whoever holds this credential. */
  async issue({ token, ip }: Credential): Promise<string> {
    const { token: ticket, hash } = createOneTimeToken('wt_')
    await this.#cache.set(keyOf(hash), { sealed: this.#secrets.seal(token), ip }, ticketSeconds)
    return ticket
  }

  async use(ticket: string): Promise<TicketHolder | undefined> {
    const kept = await this.#cache.take<{ sealed: string; ip: string }>(keyOf(hashOneTimeToken(ticket)))
    if (!kept) return undefined
    try {
      const token = this.#secrets.open(kept.sealed)
      const principal = await this.#authenticator.authenticate({ token, ip: kept.ip })
      return principal && { principal, token }
    } catch (error) {
      // The session has ended since, or its user may not pass any more.
      if (error instanceof AppError && error.status < 500) return undefined
      throw error
    }
  }
}

function keyOf(hash: string): string {
  return `ws_ticket:${hash}`
}
