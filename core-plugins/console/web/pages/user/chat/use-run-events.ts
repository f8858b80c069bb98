import { follow, type RunEvent } from '../../../api/chat.ts'
import { pause } from '../../../files/persistently.ts'
import { Problem } from '../../../session/problem.ts'

/** A run that has begun. */
interface BegunRun {
  readonly id: string
  /** Whether its answer is still being written. */
  readonly isWriting: boolean
}

/** How often what was said since is drawn. */
const drawMilliseconds = 50
const waits = [500, 1000, 2000, 4000, 8000]

/** The events of runs, handed on as they come, and what is said in them a few times a second. */
export function useRunEvents(apply: (event: RunEvent) => void, begun: () => BegunRun | undefined) {
  const waiting: RunEvent[] = []
  let timer: ReturnType<typeof setTimeout> | undefined

  /**
   * Hears the events to the end; what the network loses is taken up after the last one that came, once there is one again. Throws what
   * else they end with.
   */
  async function hear(events: AsyncGenerator<RunEvent>, signal: AbortSignal): Promise<void> {
    let source = events
    let last: string | undefined
    for (let attempt = 0, refusals = 0; ; attempt += 1) {
      try {
        for await (const event of source) {
          attempt = refusals = 0
          if (event.id !== '') last = event.id
          gather(event)
        }
        if (begun()?.isWriting !== true || signal.aborted) return
      } catch (problem) {
        if (signal.aborted) return
        // The run is over for too long to be told: its answer is read as it was kept.
        if (problem instanceof Problem && problem.status === 410) return
        const isAway = problem instanceof Problem && problem.status === 0
        const isLost = isAway || !(problem instanceof Problem) || problem.status >= 500
        if (!isAway) refusals += 1
        if (begun() === undefined || !isLost || refusals > waits.length) throw problem
      }
      await pause(waits[Math.min(attempt, waits.length - 1)] ?? 0, signal).catch(() => undefined)
      const run = begun()
      if (run === undefined || signal.aborted) return
      flush()
      source = follow(run.id, signal, last)
    }
  }
  function gather(event: RunEvent): void {
    waiting.push(event)
    if (event.kind === 'message.delta') timer ??= setTimeout(flush, drawMilliseconds)
    else flush()
  }
  /** Hands on what waits for its moment. */
  function flush(): void {
    clearTimeout(timer)
    timer = undefined
    for (const event of waiting.splice(0)) apply(event)
  }
  return { hear, flush }
}
