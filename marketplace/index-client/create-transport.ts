import { fileURLToPath } from 'node:url'
import { createDirectoryTransport } from './directory-transport.ts'
import { createHttpTransport } from './http-transport.ts'
import type { IndexSourceOptions, IndexSourceTools } from './index-source.ts'
import { checkSourceHeaders, parseSourceUrl } from './source-url.ts'
import type { IndexTransport } from './transport.ts'

/** The transport that a source's address asks for. Throws SourceInvalidError. */
export function createTransport(
  { id, url, headers = {}, downloadHosts = [] }: IndexSourceOptions,
  { fetch, pause }: IndexSourceTools,
): IndexTransport {
  const base = parseSourceUrl(url)
  checkSourceHeaders(headers)
  const http = createHttpTransport({ source: id, base, fetch, headers, downloadHosts, ...(pause && { pause }) })
  if (base.protocol !== 'file:') return http
  return createDirectoryTransport({
    source: id,
    folder: fileURLToPath(base),
    openElsewhere: (address, signal) => http.open(address, signal),
  })
}
