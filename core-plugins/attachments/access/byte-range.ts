import type { ByteRange } from '../../storage/contract.ts'
import { RangeNotSatisfiableError } from '../errors.ts'

/**
 * The part of a file that a Range header asks for; undefined for the whole. Other units than bytes mean nothing here (RFC 9110). Throws
 * 416/4160 for several parts, and for one that the file does not have.
 */
export function readRange(header: string | undefined, size: number): ByteRange | undefined {
  if (header === undefined || !/^\s*bytes\s*=/i.test(header)) return undefined
  const [, first, last] = /^\s*bytes\s*=\s*(\d{0,15})\s*-\s*(\d{0,15})\s*$/i.exec(header) ?? []
  if (first === undefined || last === undefined || (first === '' && last === '')) throw refused(size)
  // The last so many bytes, or from one to another.
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (start > end || start >= size) throw refused(size)
  return { start, end }
}

function refused(size: number): Error {
  return new RangeNotSatisfiableError({ headers: { 'content-range': `bytes */${size}`, 'accept-ranges': 'bytes' } })
}
