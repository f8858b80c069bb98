import { Readable } from 'node:stream'
import { PluginResponseInvalidError, type Sandbox, type StorageDriver } from '#sandbox'
import type { ByteRange, DriverConfig, StorageVolume, StoredBytes } from '../../storage/contract.ts'
import type { LoadedPlugin } from '../../plugins/contract.ts'
import { StorageWithheldError } from '../errors.ts'
import { inPieces } from './in-pieces.ts'

/** Bytes that cross at once: as base64 within what a call may carry. */
const pieceBytes = 524_288
const wallMs = 25_000

/** What a volume of a plugin stands on. */
interface PluginVolumeParts {
  readonly name: string
  readonly plugin: LoadedPlugin
  readonly sandbox: Pick<Sandbox, 'answer'>
  readonly handlers: StorageDriver['handlers']
  readonly config: DriverConfig
}

interface Stated {
  readonly size: number
}

/** Keeps bytes where a plugin knows to put them, piece by piece; throws 404/4043 while the right to it is taken back. */
export function createPluginVolume({ name, plugin, sandbox, handlers, config }: PluginVolumeParts): StorageVolume {
  const { release, grants } = plugin

  async function ask(handler: keyof typeof handlers, input: object, signal?: AbortSignal): Promise<unknown> {
    // Taken back while this host cannot load the plugin anew: what was opened before is of no use any more.
    if (grants.deniedFor(0).has('storage:driver')) throw new StorageWithheldError({ driver: name })
    const text = await sandbox.answer({
      release,
      grants,
      target: { kind: 'driver', name: handlers[handler] ?? '' },
      input: JSON.stringify({ ...input, config }),
      wallMs: wallMs,
      ...(signal && { signal }),
    })
    return JSON.parse(text)
  }

  async function head(location: string, signal?: AbortSignal): Promise<Stated | undefined> {
    const found = (await ask('stat', { location }, signal)) as Partial<Stated> | null
    if (found === null) return undefined
    const { size } = found
    if (typeof size === 'number' && Number.isSafeInteger(size) && size >= 0) return { size }
    throw new PluginResponseInvalidError({ cause: 'stat answers { size } or null' })
  }

  /** Whole pieces are asked for, as they were put: to cut base64 to size is much work in a guest. */
  async function* read(location: string, size: number, range: ByteRange, signal?: AbortSignal): AsyncGenerator<Buffer> {
    for (let offset = range.start - (range.start % pieceBytes); offset <= range.end; offset += pieceBytes) {
      const length = Math.min(pieceBytes, size - offset)
      const piece = (await ask('get', { location, offset, length }, signal)) as { readonly base64?: unknown } | null
      const bytes = typeof piece?.base64 === 'string' ? Buffer.from(piece.base64, 'base64') : Buffer.alloc(0)
      // Less or more would give out another object.
      if (bytes.length !== length) throw new PluginResponseInvalidError({ cause: 'get answers as many bytes as asked' })
      yield bytes.subarray(Math.max(0, range.start - offset), range.end + 1 - offset)
    }
  }

  return {
    imageProcess: 'none',
    async put(location, content, { size, contentType, signal } = {}) {
      const upload = { location, contentType: contentType ?? 'application/octet-stream', size: size ?? null }
      let state: unknown = null
      let written = 0
      try {
        for await (const { bytes, isLast } of inPieces(content, pieceBytes)) {
          const isWrong =
            size !== undefined && (written + bytes.length > size || (isLast && written + bytes.length < size))
          if (isWrong) throw new PluginResponseInvalidError({ cause: `not the ${size} bytes that were told` })
          const piece = { ...upload, offset: written, last: isLast, base64: bytes.toString('base64'), state }
          const answer = (await ask('put', piece, signal)) as { readonly state?: unknown } | null
          state = answer?.state ?? null
          written += bytes.length
        }
      } catch (error) {
        // Whole or not at all: what was begun is taken away, as well as it can be.
        if (written > 0) await ask('delete', { location }).catch(() => undefined)
        throw error
      }
    },
    async get(location, { range, signal } = {}): Promise<StoredBytes | undefined> {
      const found = await head(location, signal)
      if (!found) return undefined
      const { size } = found
      const wanted = { start: range?.start ?? 0, end: Math.min(range?.end ?? Infinity, size - 1) }
      return { size, content: Readable.from(read(location, size, wanted, signal), { objectMode: false }) }
    },
    head: (location, { signal } = {}) => head(location, signal),
    async delete(location, { signal } = {}) {
      await ask('delete', { location }, signal)
    },
    ...(handlers.test !== undefined && {
      reach: {
        resolve: () => Promise.resolve(),
        connect: async (signal) => void (await ask('test', {}, signal)),
        fetch: () => Promise.reject(new PluginResponseInvalidError({ cause: 'there are no links' })),
      },
    }),
  }
}
