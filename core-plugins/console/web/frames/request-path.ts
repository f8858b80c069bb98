const form = /^\/[A-Za-z0-9._~!$&'()*+,;=:@%/-]*$/
const longest = 2000

/**
 * The address of a path below a prefix, as a page of a plugin names it; undefined for a path that would lead elsewhere in any
 * spelling. The prefix begins with a slash and ends without one.
 */
export function addressBelow(prefix: string, path: unknown, origin: string): URL | undefined {
  if (typeof path !== 'string' || path.length > longest || !form.test(path)) return undefined
  if (path.includes('//') || /%(2f|5c|00)/i.test(path)) return undefined
  if (!path.split('/').every(isPlainSegment)) return undefined
  const url = URL.parse(prefix + path, origin)
  if (url?.origin !== new URL(origin).origin || !url.pathname.startsWith(`${prefix}/`)) return undefined
  return url
}

function isPlainSegment(segment: string): boolean {
  try {
    const plain = decodeURIComponent(segment)
    return plain !== '.' && plain !== '..'
  } catch {
    return false
  }
}
