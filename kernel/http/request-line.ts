import type { IncomingMessage } from 'node:http'
import { BadRequestError, ExpectationFailedError } from '../errors.ts'

/**
 * The target of a request as path and query. Proxies may send the absolute form: the host in it is then the one the request is
 * for, and takes the place of the Host header (RFC 9112, section 3.2.2). What is no target of ours stays as it came.
 */
export function readTarget(request: IncomingMessage): string {
  const target = request.url ?? '/'
  if (target.startsWith('/')) return target
  const [whole, host] = /^https?:\/\/([^/?#@\s]+)(?=[/?#]|$)/i.exec(target) ?? []
  if (whole === undefined) return target
  request.headers.host = host
  const rest = target.slice(whole.length)
  return rest.startsWith('/') ? rest : `/${rest}`
}

/** Refuses a request that says twice, or does not say, what it is for, or that expects what nobody here promises. */
export function demandPlainRequest({ headers, httpVersion, rawHeaders }: IncomingMessage, target: string): void {
  const hosts = countHosts(rawHeaders)
  if (hosts > 1 || (hosts === 0 && httpVersion === '1.1')) throw new BadRequestError()
  if (!target.startsWith('/') && target !== '*') throw new BadRequestError()
  const { expect } = headers
  // Older clients know no expectations: what they call so means nothing.
  if (expect === undefined || httpVersion !== '1.1') return
  if (expect.trim().toLowerCase() !== '100-continue') throw new ExpectationFailedError()
}

/** How many Host headers there are: Node keeps the first of several, and another server on the way may go by the last. */
export function countHosts(rawHeaders: readonly string[]): number {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1
  }
  return hosts
}
