import { existsSync } from 'node:fs'
import path from 'node:path'

import { seccompPrefix } from './seccomp.ts'

const nobody = '65534'
/** Among the words of a prefix where the command runs as another user than root. */
export const asNobody = `--reuid=${nobody}`
/** It ends with the process that started it, whatever it is at. */
const withParent = ['--pdeathsig=KILL']
const mostFiles = 256
/** Of every thread, under the cap on memory: a quarter of what it is usually, and more than the engine's own limit for its first. */
const stackBytes = 2 * 1024 * 1024
const noRights = ['--no-new-privs', '--bounding-set=-all', '--inh-caps=-all']

/** The parts of what goes before the command; a part that is empty does not work here. */
interface Walls {
  readonly user: readonly string[]
  readonly calls: readonly string[]
  readonly limited: readonly string[]
  readonly network: readonly string[]
}

/** Whether a command runs behind a prefix. */
type Works = (prefix: readonly string[]) => Promise<boolean>

/** Finds by trying, from the strictest to none, what the system lets us put around a process. */
export async function findWalls(works: Works): Promise<Walls> {
  return (await strictest(works)) ?? (await strictestOfEach(works))
}

/** The strictest of all at once, which is what most systems let us do: each try starts a process or five. */
async function strictest(works: Works): Promise<Walls | undefined> {
  const [user = []] = userPrefixes()
  const [calls = []] = callPrefixes()
  const [limited = []] = limitPrefixes()
  const [network = []] = networkPrefixes()
  return (await works([...network, ...limited, ...user, ...calls])) ? { user, calls, limited, network } : undefined
}

/** The strictest of each that works with those before it. */
async function strictestOfEach(works: Works): Promise<Walls> {
  const user = await firstThat(works, userPrefixes())
  const calls = await firstThat((prefix) => works([...user, ...prefix]), callPrefixes())
  const limited = await firstThat((prefix) => works([...prefix, ...user, ...calls]), limitPrefixes())
  const network = await firstThat((prefix) => works([...prefix, ...limited, ...user, ...calls]), networkPrefixes())
  return { user, calls, limited, network }
}

/** With another user's number when we are root; a parent folder that is closed to that user makes it fall through. */
function userPrefixes(): readonly (readonly string[])[] {
  const setpriv = findTool('setpriv')
  if (!setpriv) return []
  if (process.getuid?.() !== 0) return [[setpriv, '--no-new-privs', ...withParent]]
  const other = [asNobody, `--regid=${nobody}`, '--clear-groups']
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

async function firstThat(works: Works, prefixes: readonly (readonly string[])[]): Promise<readonly string[]> {
  for (const prefix of prefixes) if (await works(prefix)) return prefix
  return []
}

/** Where the system has a program of this name, if it has. */
export function findTool(name: string): string | undefined {
  return ['/usr/bin', '/bin', '/usr/sbin', '/sbin'].map((folder) => path.join(folder, name)).find(existsSync)
}
