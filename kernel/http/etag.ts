/** A version as an entity tag; what is one already stays as it is. */
export function quoteEtag(version: string): string {
  return /^(W\/)?"/.test(version) ? version : `"${version}"`
}

/** Whether an If-Match or If-None-Match header names a tag; weakly, because proxies that compress weaken the tags they pass. */
export function matchesEtag(header: string, etag: string): boolean {
  if (header.trim() === '*') return true
  return header.split(',').some((candidate) => opaque(candidate) === opaque(etag))
}

function opaque(etag: string): string {
  return etag.trim().replace(/^W\//, '')
}
