import type { Knex } from 'knex'
import { AppError, type Logger, type Tenant } from '#kernel'
import type { Message, MessageSender } from '../../mail/contract.ts'
import type { UserRecord } from '../../users/contract.ts'
import { ChannelOffError } from '../errors.ts'
import { maskAddress, type Address, type CodeBinding } from './code-binding.ts'
import { codeSeconds, type OneTimeCodes } from './one-time-codes.ts'
import { resendSeconds } from './send-limits.ts'

/** What the sending of codes stands on. */
interface DeliveryParts {
  readonly db: Knex
  readonly log: Logger
  readonly codes: OneTimeCodes
  readonly mail: MessageSender
}

/** Puts codes and links on their way; to somebody who is not there goes nothing, at the same cost. */
export class CodeDelivery {
  readonly #parts: DeliveryParts

  constructor(parts: DeliveryParts) {
    this.#parts = parts
  }

  /** Throws 403/4036 while no message can leave over a channel. */
  async requireChannel(channel: Address['channel']): Promise<void> {
    if (!(await this.#parts.mail.canSend(channel))) throw new ChannelOffError({ details: { channel } })
  }

  /** Makes a code and sends it. */
  async sendCode(binding: CodeBinding, user: UserRecord | undefined, tenant: Tenant | null): Promise<void> {
    const { db, codes } = this.#parts
    await db.transaction(async (trx) => {
      const code = await codes.create(binding, user?.id ?? null, trx)
      const template = binding.purpose === 'login' ? 'login_code' : 'reset_code'
      await this.send(
        {
          ...messageTo(binding, user),
          template,
          values: { code, ...valuesOf(user, tenant), minutes: codeSeconds / 60 },
        },
        trx,
      )
    })
  }

  /** Sends a message; an address that cannot be written to is logged, for the answer must not tell it. */
  async send(message: Message, trx: Knex.Transaction): Promise<void> {
    try {
      await this.#parts.mail.send(message, trx)
    } catch (error) {
      if (!(error instanceof AppError) || error.status >= 500) throw error
      this.#parts.log.warn({ err: error, template: message.template }, 'a message could not be addressed')
    }
  }
}

/** Whom a message that opens an account goes to: always the address as the user has it, never as somebody typed it, and nobody when nobody has it. */
export function messageTo({ tenantId, channel, address }: Omit<CodeBinding, 'purpose'>, user: UserRecord | undefined) {
  const to = channel === 'email' ? user?.email : user?.phone
  const opens = user && { tenantId, userId: user.id }
  return { tenantId, channel, to: to ?? address, locale: user?.locale, nobody: !to, opens }
}

/** What every message says beside its own: an empty text is as good as none. */
export function valuesOf(user: UserRecord | undefined, tenant: Tenant | null) {
  return { nickname: user?.nickname ?? '', tenant: tenant?.name ?? '' }
}

/** What whoever asked for a code is told, whether or not somebody has the address. */
export function presentSent(address: Address) {
  return {
    sent: true,
    channel: address.channel,
    masked_target: maskAddress(address),
    expires_in: codeSeconds,
    resend_after: resendSeconds,
  }
}
