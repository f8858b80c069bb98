import type { Knex } from 'knex'
import { createOneTimeToken, hashOneTimeToken, type Tenant } from '#kernel'
import type { MessageSender } from '../../mail/contract.ts'
import type { User } from '../models.ts'
import { EmailProof } from './models.ts'

const hours = 24

/** Asks people to prove that an address is theirs, and takes the proof. */
export class EmailProofs {
  readonly #messages: MessageSender

  constructor(messages: MessageSender) {
    this.#messages = messages
  }

  /** Sends a user the link that proves the address within 24 hours. */
  async ask(tenant: Tenant, user: User, nextStatus: EmailProof['nextStatus'], trx: Knex.Transaction): Promise<void> {
    const { token, hash: tokenHash } = createOneTimeToken()
    const email = user.email ?? ''
    const expiresAt = new Date(Date.now() + hours * 3_600_000)
    await EmailProof.of(tenant.id, trx).insert({ tokenHash, userId: user.id, email, nextStatus, expiresAt })
    const link = `${tenant.baseUrl}/console/verify-email#token=${token}`
    const values = { link, hours, nickname: user.nickname, tenant: tenant.name }
    const message = { tenantId: tenant.id, channel: 'email', to: email, template: 'verify_email' } as const
    const opens = { tenantId: tenant.id, userId: user.id }
    await this.#messages.send({ ...message, values, opens, locale: user.locale }, trx)
  }

  /** Uses a token up: what it proves, or undefined when it is unknown, used or too old. */
  async take(token: string, trx: Knex.Transaction): Promise<EmailProof | undefined> {
    // The token alone tells whose it is: whoever opens the link is not signed in.
    const [proof] = await EmailProof.acrossTenants(trx)
      .delete()
      .where('token_hash', hashOneTimeToken(token))
      .where('expires_at', '>', new Date())
      .returning('*')
    return proof
  }
}
