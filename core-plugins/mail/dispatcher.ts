import type { ConfigReader } from '../config/contract.ts'
import type { Message, MessageTemplate } from './contract.ts'
import type { DeliveryLog } from './delivery/delivery-log.ts'
import type { RecoveryBar } from './delivery/recovery-bar.ts'
import type { Drivers } from './drivers/drivers.ts'
import { MessageRefusedError } from './errors.ts'
import { readRecipient } from './recipient.ts'
import type { Renderer } from './rendering/renderer.ts'

/** What a tenant may switch off; codes and links always go out. */
const notices: ReadonlySet<MessageTemplate> = new Set([
  'registration_approved',
  'registration_rejected',
  'password_changed',
  'new_device',
  'refresh_reused',
  'domain_failed',
  'domain_superseded',
  'domain_unbound',
  'notification',
  'notification_digest',
  'plugin_mail',
])

/** What a dispatcher stands on. */
interface DispatcherParts {
  readonly config: ConfigReader
  readonly drivers: Drivers
  readonly renderer: Renderer
  readonly changes: Pick<DeliveryLog, 'before'>
  readonly bar: RecoveryBar
}

/** Writes a message out in its reader's language and hands it to the driver of its channel. */
export class Dispatcher {
  readonly #parts: DispatcherParts

  constructor(parts: DispatcherParts) {
    this.#parts = parts
  }

  /** Resolves when the driver has taken the message, or nobody wants it; throws 5025 when the driver failed. */
  async dispatch(message: Message, id: string, signal: AbortSignal): Promise<void> {
    if (message.nobody || (await this.#isSwitchedOff(message))) return
    const { drivers, renderer, changes, bar } = this.#parts
    if (await bar.withholds(message)) return
    const to = readRecipient(message.channel, message.to)
    if (to === undefined) throw new MessageRefusedError({ fault: 'the recipient is no single address' })
    const delivery = { id, message: { ...message, to }, text: await renderer.render(message) }
    const former = message.before === undefined ? undefined : await changes.before(message.before)
    if (former) return drivers.deliverBy(former, delivery, signal)
    await (await drivers.of(message.channel)).deliver(delivery, signal)
  }

  async #isSwitchedOff({ channel, template, tenantId }: Message): Promise<boolean> {
    if (tenantId === 0 || !notices.has(template)) return false
    const key = channel === 'email' ? 'email_notification' : 'sms_notification'
    return !(await this.#parts.config.get(key, tenantId, true))
  }
}
