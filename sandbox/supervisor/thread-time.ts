import { readFileSync } from 'node:fs'

/** What the first thread of a process was given so far. */
export interface ThreadTime {
  /** Somebody stopped it. */
  readonly isStopped: boolean
  readonly ranMs: number
  /** It could have run, and other threads did. */
  readonly waitedMs: number
}

/** Asks the system what time a process got for its first thread; nothing but zeros where it does not tell. */
export function threadTime(pid: number): ThreadTime {
  try {
    const state = /^\d+ \(.*\) (\w)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1]
    const [ran = 0, waited = 0] = readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ').map(Number)
    return { isStopped: state === 'T' || state === 't', ranMs: ran / 1e6, waitedMs: waited / 1e6 }
  } catch {
    return { isStopped: false, ranMs: 0, waitedMs: 0 }
  }
}
