import { isDeepStrictEqual } from 'node:util'
import type { GuardedFetch, Logger } from '#kernel'
import type { ConfigReader } from '../../config/contract.ts'
import type { MessageChannel } from '../contract.ts'
import type { MessageDriver } from './driver.ts'
import { createLogDriver } from './log-driver.ts'
import { SmtpDriver } from './smtp-driver.ts'
import { readSmtpSettings } from './smtp-settings.ts'
import { createWebhookDriver } from './webhook-driver.ts'

/** What the drivers stand on. */
export interface DriversParts {
  readonly config: ConfigReader
  readonly client: GuardedFetch
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
    return channel === 'email' ? this.#email() : this.#sms()
  }

  async #email(): Promise<MessageDriver> {
    const { config } = this.#parts
    if ((await config.get('mail_driver', 0, 'log')) !== 'smtp') return this.#log
    const settings = await readSmtpSettings(config)
    if (this.#smtp && isDeepStrictEqual(this.#smtp.settings, settings)) return this.#smtp
    this.#smtp?.[Symbol.dispose]()
    return (this.#smtp = new SmtpDriver(settings))
  }

  async #sms(): Promise<MessageDriver> {
    const { config, client } = this.#parts
    if ((await config.get('sms_driver', 0, 'log')) !== 'webhook') return this.#log
    const [url, secret] = await Promise.all([
      config.get('sms_webhook_url', 0, ''),
      config.get('sms_webhook_secret', 0, ''),
    ])
    return createWebhookDriver({ url, secret }, client)
  }

  [Symbol.dispose](): void {
    this.#smtp?.[Symbol.dispose]()
  }
}
