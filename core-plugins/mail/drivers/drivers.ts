import { isDeepStrictEqual } from 'node:util'
import type { GuardedConnect, GuardedFetch, Logger } from '#kernel'
import type { ConfigReader } from '../../config/contract.ts'
import type { MessageChannel } from '../contract.ts'
import type { Delivery, MessageDriver } from './driver.ts'
import { createLogDriver } from './log-driver.ts'
import { SmtpDriver } from './smtp-driver.ts'
import { readSmtpSettings, type ReadSetting } from './smtp-settings.ts'
import { createWebhookDriver } from './webhook-driver.ts'

/** What the drivers stand on. */
interface DriversParts {
  readonly config: ConfigReader
  readonly client: GuardedFetch
  /** To SMTP servers. */
  readonly connect: GuardedConnect
  readonly log: Logger
  readonly production: boolean
}

/** The driver of each channel, as the platform's configuration has it at the moment. */
export class Drivers implements Disposable {
  readonly #parts: DriversParts
  readonly #log: MessageDriver
  #smtp: SmtpDriver | undefined

  constructor(parts: DriversParts) {
    this.#parts = parts
    this.#log = createLogDriver(parts.log, parts.production)
  }

  /** The driver to use now, not to be kept. */
  of(channel: MessageChannel): Promise<MessageDriver> {
    const read: ReadSetting = (key, otherwise) => this.#parts.config.get(key, 0, otherwise)
    return channel === 'email' ? this.#email(read) : this.#sms(read)
  }

  /** Delivers as these settings, which hold no longer, would have it. */
  async deliverBy(settings: Readonly<Record<string, unknown>>, delivery: Delivery, signal: AbortSignal): Promise<void> {
    const read: ReadSetting = <T>(key: string, otherwise: T) => Promise.resolve((settings[key] ?? otherwise) as T)
    if (delivery.message.channel === 'sms') return (await this.#sms(read)).deliver(delivery, signal)
    if ((await read('mail_driver', 'log')) !== 'smtp') return this.#log.deliver(delivery, signal)
    using smtp = new SmtpDriver(await readSmtpSettings(read), this.#parts.connect)
    await smtp.deliver(delivery, signal)
  }

  async #email(read: ReadSetting): Promise<MessageDriver> {
    if ((await read('mail_driver', 'log')) !== 'smtp') return this.#log
    const settings = await readSmtpSettings(read)
    if (this.#smtp && isDeepStrictEqual(this.#smtp.settings, settings)) return this.#smtp
    this.#smtp?.[Symbol.dispose]()
    return (this.#smtp = new SmtpDriver(settings, this.#parts.connect))
  }

  async #sms(read: ReadSetting): Promise<MessageDriver> {
    if ((await read('sms_driver', 'log')) !== 'webhook') return this.#log
    const [url, secret] = await Promise.all([read('sms_webhook_url', ''), read('sms_webhook_secret', '')])
    return createWebhookDriver({ url, secret }, this.#parts.client)
  }

  [Symbol.dispose](): void {
    this.#smtp?.[Symbol.dispose]()
  }
}
