import { createHash } from 'node:crypto'
import { open, rm } from 'node:fs/promises'
import { Transform, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { PluginVersion } from '../index-format/plugin-file.ts'
import { DownloadRefusedError, IndexUnavailableError } from './errors.ts'
import type { Downloaded, DownloadOptions } from './index-source.ts'
import { retry, type RetryOptions } from './retry.ts'
import type { IndexTransport } from './transport.ts'
import { explainFailure, isBrokenConnection, unavailable } from './unavailable.ts'

/** A package, and what it takes to bring it here. */
interface PackageDownload {
  readonly source: string
  readonly name: string
  /** The plugin's folder in the index. */
  readonly folder: string
  readonly version: PluginVersion
  readonly target: string
  readonly transport: IndexTransport
  readonly maxBytes: number
  readonly pause?: RetryOptions['pause']
  readonly graceMs?: number
}

/** Time that any package may take, and the slowest that is waited for beyond it. */
const usualGraceMs = 30_000
const slowestBytesPerSecond = 32_768

/** Writes a package to a new file while it is measured and hashed; the file is gone again unless it is what the index names. */
export async function downloadPackage(asked: PackageDownload, options: DownloadOptions = {}): Promise<Downloaded> {
  const { source, name, version, target, maxBytes, pause, graceMs = usualGraceMs } = asked
  const { size, sha256 } = version
  const release = `${name} ${version.version}`
  const refuse = (rule: string, problem: string) =>
    new DownloadRefusedError({ release, problem }, { details: { source, rule } })
  if (size > maxBytes) throw refuse('size', `it is larger than ${maxBytes} bytes`)
  const attempt = async () => {
    const limit = AbortSignal.timeout(graceMs + Math.ceil((size / slowestBytesPerSecond) * 1_000))
    const signal = options.signal ? AbortSignal.any([options.signal, limit]) : limit
    const hash = createHash('sha256')
    let received = 0
    const measure = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        received += chunk.length
        if (received > size) return done(refuse('size', `it is larger than ${size} bytes`))
        hash.update(chunk)
        options.onProgress?.(received, size)
        done(null, chunk)
      },
    })
    const file = await open(target, 'wx', 0o600)
    try {
      const arriving = await openRelease(asked, signal)
      await pipeline(arriving, measure, file.createWriteStream({ flush: true }), { signal })
      if (received !== size) throw refuse('size', `it has ${received} bytes instead of ${size}`)
      if (hash.digest('hex') !== sha256) throw refuse('hash', 'it has other bytes')
    } catch (error) {
      await file.close()
      await rm(target, { force: true })
      throw limit.aborted ? unavailable(source, 'timeout', 'the package arrives too slowly', error) : error
    }
    return { version, size, sha256 }
  }
  try {
    return await retry(attempt, { isWorthwhile: isBrokenConnection, pause, signal: options.signal })
  } catch (error) {
    throw isBrokenConnection(error) ? explainFailure(source, error) : error
  }
}

/** A copy of the index has the packages that lie elsewhere in its own folders, for sites that reach nothing else: it is asked first. */
async function openRelease(
  { folder, name, version: { url, version }, transport }: PackageDownload,
  signal: AbortSignal,
): Promise<Readable> {
  if (!url.includes(':')) return transport.open(`${folder}${url}`, signal)
  const copy = `${folder}releases/${name}-${version}.plugin.zip`
  const found = await transport.find(copy, signal).catch((error: unknown) => {
    // There are servers that answer so for what they do not have.
    if (error instanceof IndexUnavailableError && error.details?.['rule'] === 'not_allowed') return undefined
    throw error
  })
  return found ?? transport.open(url, signal)
}
