import type { ServerEvent } from '#kernel'
import type { RunEvent } from '../run-events.ts'

/** Events as frames. No generator: one that waits for its source cannot be ended, and the source hears at once that nobody reads any more. */
export function mapped(
  source: AsyncIterableIterator<RunEvent>,
  make: (event: RunEvent) => readonly ServerEvent[],
): AsyncIterable<ServerEvent> {
  const made: ServerEvent[] = []
  const next = async (): Promise<IteratorResult<ServerEvent>> => {
    for (;;) {
      const value = made.shift()
      if (value) return { done: false, value }
      const event = await source.next()
      if (event.done === true) return { done: true, value: undefined }
      made.push(...make(event.value))
    }
  }
  const end = async (): Promise<IteratorResult<ServerEvent>> => {
    await source.return?.()
    return { done: true, value: undefined }
  }
  return { [Symbol.asyncIterator]: () => ({ next, return: end }) }
}
