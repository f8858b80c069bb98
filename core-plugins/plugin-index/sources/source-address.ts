import type { FieldError } from '#kernel'
import { SourceInvalidError } from '../errors.ts'

const schemes = new Set(['https:', 'http:', 'file:'])

/** The address of an index as it is kept: http, https or file, a folder, and nothing secret in it. Throws 422/4220. */
export function readSourceUrl(text: string): URL {
  const url = URL.parse(text.trim())
  if (!url || !schemes.has(url.protocol)) throw invalid('url', 'scheme', 'Give an http, https or file address')
  if (url.username !== '' || url.password !== '') {
    throw invalid('url', 'credentials', 'Credentials are sent as a header, not in the address')
  }
  if (url.search !== '' || url.hash !== '')
    throw invalid('url', 'form', 'Give the address of a folder, without ? and #')
  if (url.protocol === 'file:' && url.host !== '') throw invalid('url', 'form', 'A folder is one of this host')
  if (!url.pathname.endsWith('/')) url.pathname += '/'
  return url
}

/** What is wrong with one field of a source. */
export function invalid(field: string, rule: string, message: string): Error {
  const error: FieldError = { field, rule, message }
  return new SourceInvalidError({ errors: [error] })
}
