import type { Scope } from '#kernel'
import type { BreakerNews } from '#sandbox'

const channel = 'plugin-breakers'

/** Word of breakers over the bus. */
export function createBreakerNews({ bus, log }: Pick<Scope, 'bus' | 'log'>): BreakerNews {
  return {
    tell(plugin, word) {
      bus.publish(channel, { plugin, word }).catch((error: unknown) => {
        log.debug({ err: error, plugin }, 'no word of a breaker')
      })
    },
    listen: (listener) =>
      bus.subscribe(channel, (message) => {
        const { plugin, word } = message as { readonly plugin: string; readonly word: 'opened' | 'closed' }
        listener(plugin, word)
      }),
  }
}
