import { readdirSync, readFileSync } from 'node:fs'

/** Megabytes that a process and its descendants hold for themselves (proportional set size), the database server left out. */
export function memoryOf(pid: number): number {
  const kilobytes = [pid, ...descendants(pid)].reduce((sum, each) => sum + proportional(each), 0)
  return kilobytes / 1024
}

/** Process ids below one, without PostgreSQL's. */
export function descendants(pid: number): readonly number[] {
  const children = readdirSync('/proc').flatMap((entry) => {
    if (!/^\d+$/.test(entry)) return []
    try {
      const stat = readFileSync(`/proc/${entry}/stat`, 'utf8')
      const name = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'))
      const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
      return parent === pid && name !== 'postgres' ? [Number(entry)] : []
    } catch {
      return []
    }
  })
  return children.flatMap((child) => [child, ...descendants(child)])
}

function proportional(pid: number): number {
  try {
    return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0)
  } catch {
    return 0
  }
}

/** Whether a process is there and not only its exit code. */
export function isAlive(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) [ZX]/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}
