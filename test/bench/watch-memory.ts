import { memoryOf } from '../support/processes.ts'

const sampleMs = 50

/** Looks at a process until it is called; answers the most megabytes that it had. */
export function watchMemory(pid: number): () => number {
  let most = memoryOf(pid)
  const timer = setInterval(() => (most = Math.max(most, memoryOf(pid))), sampleMs)
  return () => {
    clearInterval(timer)
    return most
  }
}
