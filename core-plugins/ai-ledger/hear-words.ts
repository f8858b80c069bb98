import type { Bus } from '#kernel'

/** Hears of changes on other hosts until disposed; where a word may have been missed, as if there had been one. */
export function hearWords(bus: Bus, channel: string, hear: (payload: unknown) => void): Disposable {
  const heard = bus.subscribe(channel, hear)
  const missed = bus.onMissed(() => hear(undefined))
  return {
    [Symbol.dispose]() {
      heard[Symbol.dispose]()
      missed[Symbol.dispose]()
    },
  }
}
