import type { Message } from '../contract.ts'

/** A message in its reader's language. */
export interface MessageText {
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly sms: string
  /** The name that an e-mail comes from. */
  readonly sender: string
}

/** A message ready to leave. */
export interface Delivery {
  /** The same at every attempt, so that a receiver can tell a second copy. */
  readonly id: string
  readonly message: Message
  readonly text: MessageText
}

/** Brings the messages of one channel to the world outside. */
export interface MessageDriver {
  /** Whether it is set up, so that messages can leave. */
  readonly canDeliver: boolean
  /** Resolves when the message was taken over; throws 5025: MailOrSmsError when it may be tried again, MessageRefusedError when not. */
  deliver(delivery: Delivery, signal: AbortSignal): Promise<void>
}
