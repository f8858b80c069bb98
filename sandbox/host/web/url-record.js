/** What a URL is made of, and how it is written. */

/** The schemes that the web treats in their own way, with their usual ports. */
export const specialPorts = new Map([
  ['ftp', 21],
  ['file', null],
  ['http', 80],
  ['https', 443],
  ['ws', 80],
  ['wss', 443],
])

/** A URL without anything. `path` is a list, or a text where it is opaque. */
export function emptyRecord() {
  return { scheme: '', username: '', password: '', host: null, port: null, path: [], query: null, fragment: null }
}

/** It has one of the schemes that the web treats in their own way. */
export function isSpecial(url) {
  return specialPorts.has(url.scheme)
}

/** Its path is a text that nobody takes apart. */
export function isOpaque(url) {
  return typeof url.path === 'string'
}

/** It has nobody to name a user or a port for. */
export function hasNoAuthority(url) {
  return url.host === null || url.host === '' || url.scheme === 'file'
}

/** Such as `C:` or `C|`. */
export function isDriveLetter(text) {
  return /^[a-z][:|]$/i.test(text)
}

/** Such as `C:`. */
export function isNormalDriveLetter(text) {
  return /^[a-z]:$/i.test(text)
}

/** Takes away the last part of a path, but never a drive. */
export function shorten(url) {
  if (url.scheme === 'file' && url.path.length === 1 && isNormalDriveLetter(url.path[0])) return
  url.path.pop()
}

/** Its path as it is written. */
export function writePath(url) {
  if (isOpaque(url)) return url.path
  return url.path.map((part) => `/${part}`).join('')
}

/** Its host, with a port that is not the usual one. */
export function writeHost(url) {
  if (url.host === null) return ''
  return url.port === null ? url.host : `${url.host}:${url.port}`
}

/** The whole of it as text. */
export function writeUrl(url, withoutFragment = false) {
  let text = `${url.scheme}:`
  if (url.host !== null) {
    text += '//'
    if (url.username !== '' || url.password !== '') {
      text += url.username
      if (url.password !== '') text += `:${url.password}`
      text += '@'
    }
    text += writeHost(url)
  } else if (!isOpaque(url) && url.path.length > 1 && url.path[0] === '') text += '/.'
  text += writePath(url)
  if (url.query !== null) text += `?${url.query}`
  if (url.fragment !== null && !withoutFragment) text += `#${url.fragment}`
  return text
}

/** What the web compares to tell whether two URLs belong together. */
export function originOf(url, parse) {
  if (url.scheme === 'blob') {
    const inner = isOpaque(url) ? parse(url.path) : undefined
    return inner && (inner.scheme === 'http' || inner.scheme === 'https') ? originOf(inner, parse) : 'null'
  }
  if (!isSpecial(url) || url.scheme === 'file') return 'null'
  return `${url.scheme}://${writeHost(url)}`
}
