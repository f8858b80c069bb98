import { isUtf8 } from 'node:buffer'
import { sandboxLimits } from '../../limits.ts'
import { badArgument } from '../refusal.ts'

// eslint-disable-next-line no-control-regex -- control characters are what is looked for
const control = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\ufffe\uffff]/
const contentTypeForm =
  /^[a-z0-9][a-z0-9!#$&^_.+-]{0,126}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}(; ?[a-z0-9-]+=[\w.-]+){0,4}$/i

/** A key as an author may write it: a relative path without tricks, of at most 512 bytes. */
export function checkKey(key: unknown): string {
  if (typeof key !== 'string' || key === '') throw badArgument('key must be a text')
  checkPath(key)
  if (key.split('/').some((segment) => segment === '' || segment === '.' || segment === '..')) {
    throw badArgument('A key has no empty, . or .. segments')
  }
  return key
}

/** The beginning of keys; it may end in the middle of a segment. */
export function checkPrefix(prefix: unknown): string {
  if (prefix === undefined || prefix === null || prefix === '') return ''
  if (typeof prefix !== 'string') throw badArgument('prefix must be a text')
  checkPath(prefix)
  return prefix
}

/** Where a list goes on: the last key in base64url, as the list before gave it. */
export function checkCursor(cursor: string | undefined): string | undefined {
  if (cursor === undefined) return undefined
  const bytes = Buffer.from(cursor, 'base64url')
  if (bytes.toString('base64url') !== cursor || !isUtf8(bytes)) throw badArgument('cursor is none that a list gave')
  checkKey(bytes.toString())
  return cursor
}

/** A media type such as `image/png`, or undefined when none is given. */
export function checkContentType(contentType: string | undefined): string | undefined {
  if (contentType === undefined || contentTypeForm.test(contentType)) return contentType
  throw badArgument('contentType is no media type')
}

function checkPath(path: string): void {
  if (Buffer.byteLength(path) > sandboxLimits.storageKeyBytes.max) {
    throw badArgument(`A key has at most ${sandboxLimits.storageKeyBytes.max} bytes`)
  }
  if (control.test(path) || path.includes('\\') || !path.isWellFormed() || path.normalize('NFC') !== path) {
    throw badArgument('A key has no control characters, no backslash, and is in Unicode form NFC')
  }
  if (path.startsWith('/')) throw badArgument('A key does not begin with /')
}
