import type { ConfigCheck } from '../config/contract.ts'
import type { MessageSender } from './contract.ts'
import { texts } from './texts/texts.ts'

const key = 'login_methods'

/** Refuses sign-in by text message while none can leave. */
export function checkMethods(sender: MessageSender): ConfigCheck {
  return {
    groups: ['tenant_login'],
    async check({ keys, values }) {
      const methods = values[key] as readonly string[]
      if (!keys.includes(key) || !methods.includes('sms_code') || (await sender.canSend('sms'))) return []
      const message = texts.of('sms_code.needs_driver')
      return [{ key, rule: 'sms_driver', message }]
    },
  }
}
