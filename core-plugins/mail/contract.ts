import type { Knex } from 'knex'
import { defineEvent, defineService } from '#kernel'
import type { Account } from '../access/contract.ts'

/** How a message travels. */
export type MessageChannel = 'email' | 'sms'

/** What a message says; each has a text for every language, in a file of its own. */
export type MessageTemplate =
  | 'login_code'
  | 'reset_code'
  | 'reset_link'
  | 'verify_email'
  | 'address_taken'
  | 'number_taken'
  | 'invitation'
  | 'registration_approved'
  | 'registration_rejected'
  | 'password_changed'
  | 'new_device'
  | 'refresh_reused'
  | 'domain_failed'
  | 'domain_superseded'
  | 'domain_unbound'
  | 'delivery_changed'
  | 'links_changed'
  | 'ai_alert'
  | 'ai_alert_over'
  | 'notification'
  | 'notification_digest'
  | 'plugin_mail'
  | 'ai_report'
  | 'test'

/** A message to one person. */
export interface Message {
  /** 0 for somebody of the platform. */
  readonly tenantId: number
  readonly channel: MessageChannel
  readonly to: string
  readonly template: MessageTemplate
  /**
   * What the template is filled with: `code`, `link` (http or https), `minutes`, `hours`, `days`, `ip`, `device`, `time` (ISO 8601),
   * `nickname`, `tenant` (its name), `inviter`, `reason`, `domain`, `writer` (an address),
   * `alert`, `metric`, `value`, `report` (its name), `title`, `body`, `count`, `item1` … `item10`; `plugin`, and what it says as `told_title` and
   * `told_body`, or what it writes as `mail_subject` and `mail1` … `mail20`, which are left out where they read as links. A line that names a value that is not there is left out.
   */
  readonly values: Readonly<Record<string, string | number>>
  /** The reader's language; otherwise the tenant's, otherwise the platform's. */
  readonly locale?: string | null | undefined
  /**
   * Nobody gets it: it is put into the outbox like any other and dropped there, so that a caller who knows no such account
   * takes as long as one who does. `to` may then be anything.
   */
  readonly nobody?: boolean | undefined
  /**
   * The account that whoever reads the message can get into. It does not leave by a way that somebody below that account has
   * changed in the last 24 hours.
   */
  readonly opens?: Account | undefined
  /** The id of a change of delivery: the message travels as it would have before that. */
  readonly before?: string | undefined
}

/** What of the way of messages was changed: a channel, or where their links lead. */
export type DeliveryPart = MessageChannel | 'link'

/** A change of the way that messages take to people. */
export interface DeliveryChange {
  readonly id: string
  readonly part: DeliveryPart
  /** Whose messages; 0 is everybody's. */
  readonly tenantId: number
  /** Who changed it; null where nobody in particular did. */
  readonly by: Account | null
}

/** Keeps who changed the way of messages, which for a day opens nothing above that person. */
export interface DeliveryChanges {
  /** Writes a change down in the transaction that makes it; told as `mail.delivery_changed` once that holds. */
  record(change: Omit<DeliveryChange, 'id'>, trx: Knex.Transaction): Promise<void>
}

/** Sends messages through whichever drivers the platform has chosen. */
export interface MessageSender {
  /**
   * Puts a message, sealed, into the outbox and returns at once: it is delivered in the background, also after a crash,
   * and tried again when the driver fails, as long as its `minutes`, `hours` or `days` last. In a caller's transaction it leaves only when
   * that commits. A recipient that is no single address is refused there, not here: the sender's answer tells nothing.
   */
  send(message: Message, trx?: Knex.Transaction): Promise<void>
  /** Whether messages of a channel can leave at all. */
  canSend(channel: MessageChannel): Promise<boolean>
}

/** Sends messages. */
export const messageSender = defineService<MessageSender>('mail.sender')
/** Keeps who changed the way of messages. */
export const deliveryChanges = defineService<DeliveryChanges>('mail.delivery_changes')

/** The way of messages was changed; told at least once, on one host. */
export const mailDeliveryChanged = defineEvent<DeliveryChange>('mail.delivery_changed')
