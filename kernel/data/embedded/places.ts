import { createHash } from 'node:crypto'
import { lstat, mkdir, realpath } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { StartError } from '../../start-error.ts'

/** Where the embedded server keeps its things. */
export interface Places {
  readonly root: string
  readonly data: string
  readonly pidFile: string
  readonly password: string
  readonly libraries: string
  readonly log: string
  /** The folder of the socket. */
  readonly sockets: string
}

const longestSocketPath = 107
const socketName = '.s.PGSQL.5432'

/** Makes the folder `pg` in the data folder and names what stands in it. */
export async function preparePlaces(dataDir: string): Promise<Places> {
  await mkdir(path.join(dataDir, 'pg'), { recursive: true, mode: 0o755 })
  const root = await realpath(path.join(dataDir, 'pg'))
  const data = path.join(root, 'data')
  return {
    root,
    data,
    pidFile: path.join(data, 'postmaster.pid'),
    password: path.join(root, 'password'),
    libraries: path.join(root, 'lib'),
    log: path.join(root, 'postgres.log'),
    sockets: socketFolder(root),
  }
}

/** Makes the folder of the socket; one that somebody else made where everybody may write is refused. */
export async function prepareSockets(folder: string, owner: number | undefined): Promise<void> {
  await mkdir(folder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  const found = await lstat(folder)
  const isOurs = found.isDirectory() && [process.getuid?.(), owner].includes(found.uid) && (found.mode & 0o077) === 0
  if (!isOurs) throw new StartError(`${folder} belongs to somebody else: remove it, or set DATABASE_URL`)
}

/** The socket stands in the data folder unless its path is longer than the system takes. */
function socketFolder(root: string): string {
  const folder = path.join(root, 'run')
  if (Buffer.byteLength(path.join(folder, socketName)) <= longestSocketPath) return folder
  return path.join(tmpdir(), `stoa-${createHash('sha256').update(root).digest('hex').slice(0, 16)}`)
}
