import { readdir, readFile } from 'node:fs/promises'

/** The processes that open packages for this one, while it is watched: how many at once, and what they hold at most. */
export interface OpeningProcesses extends AsyncDisposable {
  readonly mostAtOnce: number
  readonly mostBytes: number
}

/** Watches them until it is disposed; only Linux shows what a process holds. */
export function watchOpeningProcesses(): OpeningProcesses {
  const seen = { mostAtOnce: 0, mostBytes: 0 }
  let isDone = false
  const watching = (async () => {
    while (!isDone) {
      const bytes = (await Promise.all((await children()).map(peakBytes))).filter((peak) => peak > 0)
      seen.mostAtOnce = Math.max(seen.mostAtOnce, bytes.length)
      seen.mostBytes = Math.max(seen.mostBytes, ...bytes)
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  })()
  return {
    get mostAtOnce() {
      return seen.mostAtOnce
    },
    get mostBytes() {
      return seen.mostBytes
    },
    async [Symbol.asyncDispose]() {
      isDone = true
      await watching
    },
  }
}

/** Every thread has children of its own. */
async function children(): Promise<string[]> {
  const tasks = await readdir(`/proc/${process.pid}/task`).catch(() => [])
  const lists = tasks.map((task) => readFile(`/proc/${process.pid}/task/${task}/children`, 'utf8').catch(() => ''))
  return (await Promise.all(lists)).flatMap((list) => list.split(' ').filter(Boolean))
}

/** What an opening process held at most so far; 0 for another process. */
async function peakBytes(pid: string): Promise<number> {
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
  if (!/--allow-fs-write=.*staging/.test(command)) return 0
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0) * 1_024
}
