import { constants } from 'node:fs'
import { open, realpath, type FileHandle } from 'node:fs/promises'
import { join, sep } from 'node:path'
import type { Readable } from 'node:stream'
import { isSafePath } from '../index-format/form.ts'
import type { IndexTransport, ReadOptions, TransportAnswer } from './transport.ts'
import { explainFailure, unavailable } from './unavailable.ts'

/** What it takes to read an index from a folder. */
interface DirectoryTransportOptions {
  readonly source: string
  readonly folder: string
  /** For packages that lie on a server. */
  readonly openElsewhere: (address: string, signal: AbortSignal) => Promise<Readable>
}

/** Reads an index from a folder of this machine, and nothing outside of it. */
export function createDirectoryTransport(options: DirectoryTransportOptions): IndexTransport {
  const { source } = options
  return {
    async read(path, { maxBytes }: ReadOptions): Promise<TransportAnswer> {
      const found = await openBelow(path, options)
      if (!found) return { kind: 'missing' }
      await using file = found
      const { size } = await file.stat()
      if (size > maxBytes) throw unavailable(source, 'response_too_large', `${path} is larger than ${maxBytes} bytes`)
      const bytes = Buffer.alloc(size)
      const { bytesRead } = await file.read(bytes, 0, size, 0)
      return { kind: 'read', bytes: bytes.subarray(0, bytesRead) }
    },
    async open(address, signal) {
      if (!isSafePath(address)) return options.openElsewhere(address, signal)
      const file = await openBelow(address, options)
      if (!file) throw unavailable(source, 'missing', `there is no ${address}`)
      return file.createReadStream({ signal })
    },
    async find(path, signal) {
      return (await openBelow(path, options))?.createReadStream({ signal })
    },
  }
}

/** Opens a regular file below the folder, or nothing where there is none. A link that leads out of the folder is refused. */
async function openBelow(path: string, { source, folder }: DirectoryTransportOptions): Promise<FileHandle | undefined> {
  if (!isSafePath(path)) throw unavailable(source, 'path', 'a path leads out of its folder')
  try {
    const top = await realpath(folder)
    const real = await findReal(join(top, path))
    if (real === undefined) return undefined
    if (!real.startsWith(top.endsWith(sep) ? top : top + sep))
      throw unavailable(source, 'link', `${path} is a link that leads out of its folder`)
    // A pipe would wait for its other end.
    const file = await open(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    if ((await file.stat()).isFile()) return file
    await file.close()
    throw unavailable(source, 'not_a_file', `${path} is no file`)
  } catch (error) {
    throw explainFailure(source, error)
  }
}

async function findReal(path: string): Promise<string | undefined> {
  try {
    return await realpath(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw error
  }
}
