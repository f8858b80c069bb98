import { readFileSync } from 'node:fs'

const pageBytes = 4096

/** The bytes that a process holds in memory; 0 of one that is gone, and where the system does not tell. */
export function residentBytes(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * pageBytes
  } catch {
    return 0
  }
}
