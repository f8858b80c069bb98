import { readFileSync } from 'node:fs'

/** The state, and what all threads of it ran as its own program and in the system. */
const stat = /^\d+ \(.*\) (\w)(?: -?\d+){10} (\d+) (\d+)/s
/** What the system counts the time of whole processes in. */
const tickMs = 10

/** What the first thread of a process was given so far. */
export interface ThreadTime {
  /** Somebody stopped it. */
  readonly isStopped: boolean
  readonly ranMs: number
  /** It could have run, and other threads did. */
  readonly waitedMs: number
  /** What the other threads of the process were given. */
  readonly othersRanMs: number
}

/** Asks the system what time a process got for its first thread; nothing but zeros where it does not tell. */
export function threadTime(pid: number): ThreadTime {
  try {
    const [, state, ...figures] = stat.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? []
    const [user = 0, system = 0] = figures.map(Number)
    const [ran = 0, waited = 0] = readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ').map(Number)
    const ranMs = ran / 1e6
    const othersRanMs = Math.max(0, (user + system) * tickMs - ranMs)
    return { isStopped: state === 'T' || state === 't', ranMs, waitedMs: waited / 1e6, othersRanMs }
  } catch {
    return { isStopped: false, ranMs: 0, waitedMs: 0, othersRanMs: 0 }
  }
}
