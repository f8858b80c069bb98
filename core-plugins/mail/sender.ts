import type { MessageSender } from './contract.ts'
import type { Drivers } from './drivers/drivers.ts'
import type { Courier } from './outbox/courier.ts'
import type { Outbox } from './outbox/outbox.ts'
import { checkRecipient } from './recipient.ts'

/** Makes the service that takes messages in. */
export function createMessageSender(outbox: Outbox, courier: Courier, drivers: Drivers): MessageSender {
  return {
    async send(message, trx) {
      const to = message.nobody ? message.to : checkRecipient(message.channel, message.to)
      await outbox.add({ ...message, to }, trx)
      if (!trx) return courier.wake()
      // A rolled back transaction sends nothing; its caller has the error.
      trx.executionPromise.then(
        () => courier.wake(),
        () => undefined,
      )
    },
    canSend: async (channel) => (await drivers.of(channel)).canDeliver,
  }
}
