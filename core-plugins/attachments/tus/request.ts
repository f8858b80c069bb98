import { ValidationFailedError, type RouteContext } from '#kernel'
import { TusVersionError } from '../errors.ts'
import { checksumAlgorithms, tusVersion } from './protocol.ts'

/** A digest that bytes are to have. */
export interface Checksum {
  readonly algorithm: (typeof checksumAlgorithms)[number]
  readonly digest: Buffer
}

type Headers = Pick<RouteContext, 'header'>

const digestBytes = { sha256: 32, sha1: 20 } as const

/** Throws 412/4120 for a request in another version, or in none. */
export function demandVersion(request: Headers): void {
  if (request.header('tus-resumable') === tusVersion) return
  throw new TusVersionError({ version: tusVersion }, { headers: { 'tus-version': tusVersion } })
}

/** A count of bytes in a header, or undefined where it is not there; throws 422/4220 for what is none. */
export function readCount(request: Headers, name: 'Upload-Length' | 'Upload-Offset'): number | undefined {
  const text = request.header(name)
  if (text === undefined) return undefined
  const count = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN
  if (Number.isSafeInteger(count)) return count
  throw wrong(name, 'format', 'must be a number of bytes')
}

/** What `Upload-Checksum` says, or undefined where it is not there; throws 422/4220 for what cannot be one. */
export function readChecksum(request: Headers): Checksum | undefined {
  const text = request.header('Upload-Checksum')
  if (text === undefined) return undefined
  const [name, value = ''] = text.trim().split(/ +/)
  const algorithm = checksumAlgorithms.find((known) => known === name)
  const digest = Buffer.from(value, 'base64')
  if (algorithm !== undefined && digest.length === digestBytes[algorithm]) return { algorithm, digest }
  throw wrong('Upload-Checksum', 'format', `must be ${checksumAlgorithms.join(' or ')}, and a digest in Base64`)
}

/** A header that does not fit. */
export function wrong(field: string, rule: string, message: string): Error {
  return new ValidationFailedError({ errors: [{ field, rule, message }] })
}
