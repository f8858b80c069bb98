import type { Bus } from './bus.ts'

/** The bus of a host that is alone: nobody to tell, nobody to hear. */
export function createMemoryBus(): Bus {
  const nothing = { [Symbol.dispose]: () => undefined }
  return {
    publish: () => Promise.resolve(true),
    subscribe: () => nothing,
    onMissed: () => nothing,
  }
}
