import { execFile, spawn, type ChildProcess, type SpawnOptions } from 'node:child_process'
import { once } from 'node:events'
import { chown, stat } from 'node:fs/promises'
import { promisify } from 'node:util'
import { StartError } from '../../start-error.ts'

const run = promisify(execFile)
const nobody = 65_534

/** As whom the server runs: PostgreSQL refuses to run as root. */
export interface Account {
  /** Who owns the server's files; undefined for the user that we are. */
  readonly owner: number | undefined
  spawn(program: string, args: readonly string[], options: SpawnOptions): ChildProcess
}

/** The account that can reach these places: ourselves, or, when we are root, `nobody` or a user namespace without rights. */
export async function findAccount(places: readonly string[]): Promise<Account> {
  if (process.getuid?.() !== 0) {
    return { owner: undefined, spawn: (program, args, options) => spawn(program, args, options) }
  }
  if (await isOpenToNobody(places)) {
    return {
      owner: nobody,
      spawn: (program, args, options) => spawn(program, args, { ...options, uid: nobody, gid: nobody }),
    }
  }
  if (await hasUserNamespaces()) {
    // In there root is an unknown user without rights who still owns our files.
    return {
      owner: 0,
      spawn: (program, args, options) => spawn('unshare', ['--user', program, ...args], options),
    }
  }
  throw new StartError(
    `As root, the embedded PostgreSQL runs as nobody: open ${places.join(', ')} to it, or set DATABASE_URL`,
  )
}

/** Hands a file or folder, with all that is in it, to the account. */
export async function giveTo(account: Account, place: string): Promise<void> {
  if (account.owner === undefined || (await stat(place)).uid === account.owner) return
  await run('chown', ['-R', `${account.owner}:${account.owner}`, place])
  await chown(place, account.owner, account.owner)
}

async function isOpenToNobody(places: readonly string[]): Promise<boolean> {
  const tests = places.flatMap((place, index) => (index === 0 ? ['-x', place] : ['-a', '-x', place]))
  const probe = spawn('test', tests, { uid: nobody, gid: nobody, stdio: 'ignore', cwd: '/' })
  const [code] = (await once(probe, 'exit')) as [number | null]
  return code === 0
}

async function hasUserNamespaces(): Promise<boolean> {
  return run('unshare', ['--user', 'true']).then(
    () => true,
    () => false,
  )
}
