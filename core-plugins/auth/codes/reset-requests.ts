import type { Knex } from 'knex'
import type { Tenant } from '#kernel'
import type { MessageChannel } from '../../mail/contract.ts'
import type { UserDirectory, UserRecord } from '../../users/contract.ts'
import type { Address } from './code-binding.ts'
import { messageTo, valuesOf, type CodeDelivery } from './code-delivery.ts'
import type { SendGate, Sender } from './send-gate.ts'
import type { SendLimits } from './send-limits.ts'
import { linkMinutes, type ResetLinks } from './reset-links.ts'

/** What a request for a new password stands on. */
interface ResetRequestParts {
  readonly db: Knex
  readonly users: UserDirectory
  readonly gate: SendGate
  readonly limits: SendLimits
  readonly delivery: CodeDelivery
  readonly links: ResetLinks
  /** The platform's address, for links to its console. */
  readonly publicUrl: string
}

/** Somebody who has forgotten a password. */
interface ResetRequest {
  /** An account, an e-mail address or a phone number. */
  readonly name: string
  /** How a code is to be sent; without it a link is, by e-mail. */
  readonly channel?: MessageChannel | undefined
}

/** Sends people a way to choose a new password; who is not there gets the same answer at the same cost. */
export class ResetRequests {
  readonly #parts: ResetRequestParts

  constructor(parts: ResetRequestParts) {
    this.#parts = parts
  }

  /** The tenant is null for the platform's staff. Throws what the gate throws, and nothing about the account. */
  async ask(tenant: Tenant | null, request: ResetRequest, sender: Sender): Promise<void> {
    const { users, gate, limits, delivery } = this.#parts
    const { name, channel = 'email' } = request
    const tenantId = tenant?.id ?? 0
    if (request.channel) await delivery.requireChannel(channel)
    const known = await users.findByIdentifier(tenantId, name)
    const asked = users.spell(name)
    await gate.pass({ tenantId, name: asked, purpose: 'reset' }, known, sender)
    const address = { channel, address: addressOf(known, channel) ?? asked }
    const mayGet = await limits.allows({ tenantId, name: address.address, purpose: 'reset' })
    const user = mayGet && addressOf(known, channel) ? known : undefined
    // A code that nobody is sent must not take the place of one that somebody was.
    const owner = known && !user ? { channel, address: `nobody ${asked}` } : address
    if (request.channel) await delivery.sendCode({ tenantId, ...owner, purpose: 'reset' }, user, tenant)
    else await this.#sendLink(tenant, address, user)
  }

  /** A link for somebody who is told it by another way than by message. */
  async createLink(tenant: Tenant | null, user: UserRecord): Promise<{ token: string; url: string }> {
    const { db, links } = this.#parts
    const token = await db.transaction((trx) => links.create(user.tenantId, user, trx))
    return { token, url: this.#urlOf(tenant, token) }
  }

  async #sendLink(tenant: Tenant | null, address: Address, user: UserRecord | undefined): Promise<void> {
    const { db, links, delivery } = this.#parts
    const tenantId = tenant?.id ?? 0
    await db.transaction(async (trx) => {
      const link = this.#urlOf(tenant, await links.create(tenantId, user, trx))
      const values = { link, minutes: linkMinutes, ...valuesOf(user, tenant) }
      await delivery.send({ ...messageTo({ tenantId, ...address }, user), template: 'reset_link', values }, trx)
    })
  }

  /** Never by the host that was called: whoever asks chooses it, and somebody else opens the link. */
  #urlOf(tenant: Tenant | null, token: string): string {
    // In the fragment, which no server logs and no page hands on to another.
    return `${tenant?.baseUrl ?? this.#parts.publicUrl}/console/reset-password#token=${token}`
  }
}

function addressOf(user: UserRecord | undefined, channel: MessageChannel): string | null | undefined {
  return channel === 'email' ? user?.email : user?.phone
}
