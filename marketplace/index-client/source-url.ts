import { SourceInvalidError } from './errors.ts'

const headerName = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/
const headerValue = /^[\t\x20-\x7e\x80-\xff]{0,4096}$/
/** Headers that the client itself answers for. */
const ownHeaders: ReadonlySet<string> = new Set([
  ...['host', 'connection', 'content-length', 'transfer-encoding', 'upgrade', 'te', 'trailer', 'expect'],
  ...['accept-encoding', 'if-none-match', 'if-modified-since', 'range', 'proxy-authorization', 'keep-alive'],
])

/** The folder of an index, with `/` at the end. Throws SourceInvalidError. */
export function parseSourceUrl(text: string): URL {
  const url = URL.parse(text)
  if (!url || !['https:', 'http:', 'file:'].includes(url.protocol))
    throw refused('url', 'its address is neither https, http nor file')
  if (url.username !== '' || url.password !== '')
    throw refused('credentials', 'its address carries a user name: use a header')
  if (url.search !== '' || url.hash !== '')
    throw refused('query', 'its address carries a query or a fragment: use a header for a token')
  if (url.protocol === 'file:' && url.host !== '') throw refused('host', 'a folder is on this machine')
  if (!url.pathname.endsWith('/')) url.pathname += '/'
  return url
}

/** Throws SourceInvalidError unless these headers may be sent. */
export function checkSourceHeaders(headers: Readonly<Record<string, string>>): void {
  const entries = Object.entries(headers)
  if (entries.length > 20) throw refused('headers', 'it has more than 20 headers')
  for (const [name, value] of entries) {
    if (!headerName.test(name) || !headerValue.test(value)) throw refused('headers', 'a header has another form')
    if (ownHeaders.has(name.toLowerCase())) throw refused('headers', `the header ${name} is not for a source to set`)
  }
}

function refused(rule: string, problem: string): Error {
  return new SourceInvalidError({ problem }, { details: { rule } })
}
