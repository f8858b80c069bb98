import type { Logger } from '#kernel'
import { maskRecipient } from '../recipient.ts'
import type { MessageDriver } from './driver.ts'

/** Writes messages into the log, where a developer finds them at the usual level; in production only that there was one, because nobody gets it and its code is a secret. */
export function createLogDriver(log: Logger, production: boolean): MessageDriver {
  return {
    canDeliver: !production,
    deliver({ message: { channel, template, to, tenantId }, text: { subject, text, sms } }) {
      const fields = { channel, template, tenant_id: tenantId }
      if (production) log.warn({ ...fields, to: maskRecipient(to) }, 'a message goes nowhere: no driver is configured')
      else log.warn({ ...fields, to, ...(channel === 'sms' ? { text: sms } : { subject, text }) }, 'a message')
      return Promise.resolve()
    },
  }
}
