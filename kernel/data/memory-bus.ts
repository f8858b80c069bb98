import type { Bus } from './bus.ts'

/** The bus of a host that is alone: nobody to tell, nobody to hear. */
export function createMemoryBus(): Bus {
  return {
    publish: () => Promise.resolve(),
    subscribe: () => ({ [Symbol.dispose]: () => undefined }),
  }
}
