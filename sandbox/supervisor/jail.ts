import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

import type { Logger } from '#kernel'
import { LimitSetter } from './limit-setter.ts'
import { asNobody, findTool, findWalls } from './walls.ts'

const run = promisify(execFile)

/** What the system lets us put around a sandbox host, found out by trying. */
export interface Jail {
  /** Goes before the command: another user, no rights, no network, no files to write, few system calls. */
  readonly prefix: readonly string[]
  /** Caps the memory that a process may ask for, for good unless it may be raised later; false where that cannot be done. */
  capMemory(pid: number, bytes: number, mayBeRaised: boolean): Promise<boolean>
}

/** What was tried already, by what must be readable: the system does not change under a process. */
const jails = new Map<string, Promise<Jail>>()

/** Tries once, from the strictest to none, what works here for a program that must read these files and folders. */
export function createJail(log: Logger, readable: readonly string[]): Promise<Jail> {
  const key = readable.join('\0')
  const jail = jails.get(key) ?? tryJails(log, readable)
  jails.set(key, jail)
  return jail
}

async function tryJails(log: Logger, readable: readonly string[]): Promise<Jail> {
  const { user, calls, limited, network } = await findWalls((prefix) => canRun(prefix, readable))
  const isRoot = process.getuid?.() === 0 && !user.includes(asNobody)
  const prlimit = findTool('prlimit')
  const limits = prlimit === undefined ? undefined : new LimitSetter(user, prlimit)
  const missing = [
    ...(isRoot ? ['another user'] : []),
    ...(network.length > 0 ? [] : ['no network']),
    ...(limited.length > 0 ? [] : ['no files to write']),
    ...(calls.length > 0 ? [] : ['a filter of system calls']),
    ...(limits ? [] : ['a cap on memory']),
  ]
  if (missing.length > 0) log.warn({ missing }, 'sandbox hosts run without a part of their jail on this system')
  return {
    prefix: [...network, ...limited, ...user, ...calls],
    // Without CAP_SYS_RESOURCE a limit may be set by the process's own user alone.
    // Nor may the hard limit be raised again: with the colon the soft one alone is set.
    capMemory: async (pid, bytes, mayBeRaised) =>
      (await limits?.set(pid, `--data=${bytes}${mayBeRaised ? ':' : ''}`)) ?? false,
  }
}

/** Whether a program can run behind this prefix, with its threads and all, and read what it must. */
async function canRun(prefix: readonly string[], readable: readonly string[]): Promise<boolean> {
  const test = 'for file; do test -r "$file" || exit 1; done; exec "$0" --jitless -p 0'
  const [command = '/bin/sh', ...rest] = [...prefix, '/bin/sh', '-c', test, process.execPath, ...readable]
  return run(command, rest, { env: {} }).then(
    () => true,
    () => false,
  )
}
