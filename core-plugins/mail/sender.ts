import type { MessageSender } from './contract.ts'
import type { Drivers } from './drivers/drivers.ts'
import type { Outbox } from './outbox/outbox.ts'

/** Makes the service that takes messages in. */
export function createMessageSender(outbox: Outbox, drivers: Drivers): MessageSender {
  return {
    send: (message, trx) => outbox.add(message, trx),
    canSend: async (channel) => (await drivers.of(channel)).canDeliver,
  }
}
