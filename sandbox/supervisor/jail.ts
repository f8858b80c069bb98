import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'

import type { Logger } from '#kernel'
import { LimitSetter } from './limit-setter.ts'
import { seccompPrefix } from './seccomp.ts'

const run = promisify(execFile)
const nobody = '65534'
/** It ends with the process that started it, whatever it is at. */
const withParent = ['--pdeathsig=KILL']
const mostFiles = 256
/** Of every thread, under the cap on memory: a quarter of what it is usually, and more than the engine's own limit for its first. */
const stackBytes = 2 * 1024 * 1024
const noRights = ['--no-new-privs', '--bounding-set=-all', '--inh-caps=-all']

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
  const works = (prefix: readonly string[]): Promise<boolean> => canRun(prefix, readable)
  const user = (await firstThat(works, userPrefixes())) ?? []
  const isRoot = process.getuid?.() === 0 && !user.includes(`--reuid=${nobody}`)
  const inner = [...user, ...((await firstThat((calls) => works([...user, ...calls]), callPrefixes())) ?? [])]
  const limited = [...((await firstThat((limits) => works([...limits, ...inner]), limitPrefixes())) ?? []), ...inner]
  const network = await firstThat((outer) => works([...outer, ...limited]), networkPrefixes())
  const prlimit = findTool('prlimit')
  const limits = prlimit === undefined ? undefined : new LimitSetter(user, prlimit)
  const missing = [
    ...(isRoot ? ['another user'] : []),
    ...(network ? [] : ['no network']),
    ...(limited.length > inner.length ? [] : ['no files to write']),
    ...(inner.length > user.length ? [] : ['a filter of system calls']),
    ...(limits ? [] : ['a cap on memory']),
  ]
  if (missing.length > 0) log.warn({ missing }, 'sandbox hosts run without a part of their jail on this system')
  return {
    prefix: [...(network ?? []), ...limited],
    // Without CAP_SYS_RESOURCE a limit may be set by the process's own user alone.
    // Nor may the hard limit be raised again: with the colon the soft one alone is set.
    capMemory: async (pid, bytes, mayBeRaised) =>
      (await limits?.set(pid, `--data=${bytes}${mayBeRaised ? ':' : ''}`)) ?? false,
  }
}

/** With another user's number when we are root; a parent folder that is closed to that user makes it fall through. */
function userPrefixes(): readonly (readonly string[])[] {
  const setpriv = findTool('setpriv')
  if (!setpriv) return []
  if (process.getuid?.() !== 0) return [[setpriv, '--no-new-privs', ...withParent]]
  const other = [`--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups']
  return [
    [setpriv, ...other, ...noRights, ...withParent],
    [setpriv, ...noRights, ...withParent],
  ]
}

/** No dumps of what was in memory, no file longer than nothing, and few files at once. */
function limitPrefixes(): readonly (readonly string[])[] {
  const prlimit = findTool('prlimit')
  return prlimit ? [[prlimit, '--core=0', '--fsize=0', `--nofile=${mostFiles}`, `--stack=${stackBytes}`]] : []
}

function callPrefixes(): readonly (readonly string[])[] {
  const perl = findTool('perl')
  const prefix = perl === undefined ? [] : seccompPrefix(perl)
  return prefix.length > 0 ? [prefix] : []
}

function networkPrefixes(): readonly (readonly string[])[] {
  const unshare = findTool('unshare')
  if (!unshare) return []
  return [
    [unshare, '--net', '--'],
    [unshare, '--user', '--net', '--'],
  ]
}

async function firstThat(
  works: (prefix: readonly string[]) => Promise<boolean>,
  prefixes: readonly (readonly string[])[],
): Promise<readonly string[] | undefined> {
  for (const prefix of prefixes) if (await works(prefix)) return prefix
  return undefined
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

function findTool(name: string): string | undefined {
  return ['/usr/bin', '/bin', '/usr/sbin', '/sbin'].map((folder) => path.join(folder, name)).find(existsSync)
}
