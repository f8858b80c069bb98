import type { MessageSender } from './contract.ts'
import type { Drivers } from './drivers/drivers.ts'
import type { Courier } from './outbox/courier.ts'
import type { Outbox } from './outbox/outbox.ts'

/** Makes the service that takes messages in. */
export function createMessageSender(outbox: Outbox, courier: Courier, drivers: Drivers): MessageSender {
  return {
    async send(message, trx) {
      await outbox.add(message, trx)
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
