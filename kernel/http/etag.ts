import { createHash } from 'node:crypto'
import { defaultLocale, type Locale } from '../locale/locale.ts'

/** The version of a text: equal for equal texts, on every host. */
export function versionOfText(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22)
}

/** A version as an entity tag; what is one already stays as it is. */
export function quoteEtag(version: string): string {
  return /^(W\/)?"/.test(version) ? version : `"${version}"`
}

/** The tag of one version in one language: a reader who changes the language must not be told that nothing changed. */
export function localiseEtag(etag: string, locale: Locale): string {
  return locale === defaultLocale ? etag : etag.replace(/"$/, `;${locale}"`)
}

/**
 * Whether an If-Match header names a version, in whatever language it was read: as the tag of the header, or as the `etag` of a
 * body, which has no quotes.
 */
export function matchesVersion(header: string, etag: string): boolean {
  if (header.trim() === '*') return true
  return header.split(',').some((candidate) => bareVersion(candidate) === bareVersion(etag))
}

function bareVersion(etag: string): string {
  return opaque(etag)
    .replace(/^"(.*)"$/, '$1')
    .replace(/;[\w-]+$/, '')
}

function opaque(etag: string): string {
  return etag.trim().replace(/^W\//, '')
}
