/** Reads `a=1&b=2`; a name that stands twice has all its values. Throws URIError where the encoding is broken or a NUL hides. */
export function parseUrlEncoded(text: string): Record<string, string | string[]> {
  const values = Object.create(null) as Record<string, string | string[]>
  if (text === '') return values
  for (const pair of text.split('&')) {
    if (pair === '') continue
    const equals = pair.indexOf('=')
    const name = decode(equals === -1 ? pair : pair.slice(0, equals))
    const value = equals === -1 ? '' : decode(pair.slice(equals + 1))
    const before = values[name]
    if (before === undefined) values[name] = value
    else if (typeof before === 'string') values[name] = [before, value]
    else before.push(value)
  }
  return values
}

function decode(text: string): string {
  const value = decodeURIComponent(text.includes('+') ? text.replaceAll('+', ' ') : text)
  if (value.includes('\0')) throw new URIError('NUL')
  return value
}
