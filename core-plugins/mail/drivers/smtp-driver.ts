import type { GuardedConnect } from '#kernel'
import { MailOrSmsError, MessageRefusedError } from '../errors.ts'
import type { Delivery, MessageDriver } from './driver.ts'
import type { SmtpSettings } from './smtp-settings.ts'
import { openSmtpTransport } from './smtp-transport.ts'

/** Sends e-mail through the operator's SMTP server; its connections last as long as its settings. */
export class SmtpDriver implements MessageDriver, Disposable {
  readonly settings: SmtpSettings
  readonly #transport: ReturnType<typeof openSmtpTransport>

  constructor(settings: SmtpSettings, connect: GuardedConnect, phaseMs?: number) {
    this.settings = settings
    this.#transport = openSmtpTransport(settings, connect, phaseMs)
  }

  get canDeliver(): boolean {
    return this.settings.host !== '' && this.settings.from !== ''
  }

  /** One message in text and HTML; a 5xx about the message or its recipient is final (RFC 5321, 4.2.1). */
  async deliver({ id, message: { to }, text }: Delivery, signal: AbortSignal): Promise<void> {
    if (!this.canDeliver) throw new MailOrSmsError({ fault: 'the SMTP server or the sender address is not configured' })
    const { from } = this.settings
    try {
      await this.#transport.sendMail({
        from: { name: text.sender, address: from },
        to: { name: '', address: to },
        subject: text.subject,
        text: text.text,
        html: text.html,
        messageId: `<${id}@${from.slice(from.lastIndexOf('@') + 1)}>`,
        // RFC 3834: nobody's absence notice answers a machine.
        headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
        signal,
      })
    } catch (error) {
      throw explain(error)
    }
  }

  /** Closes idle connections at once and those in use when their message is through. */
  [Symbol.dispose](): void {
    this.#transport.close()
  }
}

interface SmtpError {
  readonly code?: string
  readonly responseCode?: number
  readonly message: string
}

function explain(error: unknown): Error {
  const { code = '', responseCode = 0, message } = error as SmtpError
  const isAboutMessage = code === 'EENVELOPE' || code === 'EMESSAGE'
  const options = { cause: error }
  if (isAboutMessage && responseCode >= 500) return new MessageRefusedError({ fault: message }, options)
  return new MailOrSmsError({ fault: message }, options)
}
