import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { ChildProcess } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { StartError } from '../../start-error.ts'
import { giveTo, type Account } from './account.ts'
import type { Binaries } from './binaries.ts'
import type { Places } from './places.ts'

/** The platform's role and database in the embedded server. */
export const platformRole = 'stoa'

// The superuser has no password and is refused: what only it may do was done when the data folder was made.
const whoMayConnect = ['local all postgres reject', 'local all all scram-sha-256', ''].join('\n')

/** Makes the data folder next door and moves it into place, so that one that is there is whole. */
export async function ensureCluster(
  places: Places,
  binaries: Binaries,
  account: Account,
  mayCreateDatabases: boolean,
): Promise<void> {
  if (existsSync(places.data)) return giveTo(account, places.data)
  const draft = `${places.data}.new`
  await rm(draft, { recursive: true, force: true })
  await mkdir(draft, { mode: 0o700 })
  await giveTo(account, draft)
  const password = randomBytes(24).toString('base64url')
  const options = { cwd: '/', env: binaries.environment }
  await finish(
    account.spawn(binaries.initdb, initdbArguments(draft), { ...options, stdio: ['ignore', 'pipe', 'pipe'] }),
  )
  await writeFile(path.join(draft, 'pg_hba.conf'), whoMayConnect)
  const single = account.spawn(
    binaries.postgres,
    ['--single', '-D', draft, '-c', 'exit_on_error=true', '-c', 'log_statement=none', 'postgres'],
    { ...options, stdio: ['pipe', 'pipe', 'pipe'] },
  )
  single.stdin?.end(setUp(password, mayCreateDatabases))
  await finish(single)
  await writeFile(places.password, password, { mode: 0o600 })
  await rename(draft, places.data)
}

/** The password of the platform's role, which only the owner of the data folder can read. */
export async function readPassword(places: Places): Promise<string> {
  try {
    return await readFile(places.password, 'utf8')
  } catch (cause) {
    throw new StartError(`${places.password} cannot be read: without it there is no way into the database`, { cause })
  }
}

function initdbArguments(folder: string): string[] {
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
  return ['-D', folder, '-U', 'postgres', '--auth=reject', '--no-instructions', ...locale]
}

/** One statement a line, as single-user mode wants it. */
function setUp(password: string, mayCreateDatabases: boolean): string {
  const rights = `LOGIN NOSUPERUSER NOBYPASSRLS CREATEROLE ${mayCreateDatabases ? 'CREATEDB' : 'NOCREATEDB'}`
  return [
    `CREATE ROLE ${platformRole} ${rights} PASSWORD '${password}';`,
    `CREATE DATABASE ${platformRole} OWNER ${platformRole};`,
    // The plugins' roles reach what they are granted, in this database, and no other database.
    'REVOKE CONNECT, TEMPORARY ON DATABASE postgres FROM PUBLIC;',
    'CHECKPOINT;',
    '',
  ].join('\n')
}

async function finish(program: ChildProcess): Promise<void> {
  const words = Promise.all([program.stdout, program.stderr].flatMap((stream) => (stream ? [text(stream)] : [])))
  const [code] = (await once(program, 'close')) as [number | null]
  if (code === 0) return
  const lines = (await words).join('\n').trim().split('\n')
  // What it says last is often about its cleaning up.
  const line = lines.find((each) => /\b(error|FATAL|PANIC|could not|cannot)\b/.test(each)) ?? lines.at(-1) ?? ''
  throw new StartError(`The embedded PostgreSQL cannot be set up: ${line}`)
}
