import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'

import type { Logger } from '#kernel'

const run = promisify(execFile)
const NOBODY = '65534'
const NO_RIGHTS = ['--no-new-privs', '--bounding-set=-all', '--inh-caps=-all']

/** What the system lets us put around a sandbox host, found out by trying. */
export interface Jail {
  /** Goes before the command: another user, no rights, no network. */
  readonly prefix: readonly string[]
  /** Caps the memory that a process may ask for; false where that cannot be done. */
  capMemory(pid: number, bytes: number): Promise<boolean>
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
  const user = await firstThatWorks(userPrefixes(), readable)
  const network = await firstThatWorks(
    networkPrefixes().map((prefix) => [...prefix, ...user]),
    readable,
  )
  const prefix = network.length > 0 ? network : user
  const isRoot = process.getuid?.() === 0 && !user.includes(`--reuid=${NOBODY}`)
  const missing = [...(isRoot ? ['another user'] : []), ...(network.length > 0 ? [] : ['no network'])]
  if (missing.length > 0) log.warn({ missing }, 'sandbox hosts run without a part of their jail on this system')
  const prlimit = findTool('prlimit')
  return {
    prefix,
    capMemory: async (pid, bytes) => {
      if (!prlimit) return false
      // Without CAP_SYS_RESOURCE a limit may be set by the process's own user alone.
      const [command = prlimit, ...rest] = [...user, prlimit, `--pid=${pid}`, `--data=${bytes}`]
      return run(command, rest).then(
        () => true,
        () => false,
      )
    },
  }
}

/** With another user's number when we are root; a parent folder that is closed to that user makes it fall through. */
function userPrefixes(): readonly (readonly string[])[] {
  const setpriv = findTool('setpriv')
  if (!setpriv) return []
  if (process.getuid?.() !== 0) return [[setpriv, '--no-new-privs']]
  const other = [`--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups']
  return [
    [setpriv, ...other, ...NO_RIGHTS],
    [setpriv, ...NO_RIGHTS],
  ]
}

function networkPrefixes(): readonly (readonly string[])[] {
  const unshare = findTool('unshare')
  if (!unshare) return []
  return [
    [unshare, '--net', '--'],
    [unshare, '--user', '--net', '--'],
  ]
}

async function firstThatWorks(
  prefixes: readonly (readonly string[])[],
  readable: readonly string[],
): Promise<readonly string[]> {
  for (const prefix of prefixes) {
    const [command = '', ...rest] = prefix
    const test = 'for file; do test -r "$file" || exit 1; done; exec "$0" --version'
    const works = await run(command, [...rest, '/bin/sh', '-c', test, process.execPath, ...readable], { env: {} }).then(
      () => true,
      () => false,
    )
    if (works) return prefix
  }
  return []
}

function findTool(name: string): string | undefined {
  return ['/usr/bin', '/bin', '/usr/sbin', '/sbin'].map((folder) => path.join(folder, name)).find(existsSync)
}
