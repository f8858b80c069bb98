import type { IncomingMessage } from 'node:http'
import { isIP, isIPv6 } from 'node:net'
import { domainToASCII } from 'node:url'
import ipaddr from 'ipaddr.js'
import type { TrustedProxies } from './trusted-proxies.ts'

// A name, its port and the root's dot; what is not ASCII yet is shorter than what it becomes.
const longestHost = 253 + 1 + 6
const utf8 = new TextDecoder('utf-8', { fatal: true })

/** The client's address: the socket's, or what X-Forwarded-For says, read right to left through trusted proxies only. */
export function clientIp(request: IncomingMessage, proxies: TrustedProxies | undefined): string {
  let address = plainAddress(request.socket.remoteAddress ?? '')
  const forwarded = request.headers['x-forwarded-for']
  if (forwarded === undefined || proxies === undefined) return address
  const hops = String(forwarded).split(',')
  while (hops.length > 0 && proxies.isTrusted(address)) {
    const hop = plainAddress(hops.pop() ?? '')
    if (isIP(hop) === 0) break
    address = hop
  }
  return address
}

/** What a limit counts an address by: an IPv6 subscriber owns a /64, so all of it is one. */
export function ipLimitKey(address: string): string {
  if (!isIPv6(address)) return address
  const parts = (ipaddr.parse(address) as ipaddr.IPv6).parts.slice(0, 4)
  return `${parts.map((part) => part.toString(16)).join(':')}::/64`
}

/** The host a request is for, in lower case and without port: a trusted proxy's X-Forwarded-Host, or Host; '' for what is none. */
export function requestHost(request: IncomingMessage, proxies: TrustedProxies | undefined): string {
  return hostName(hostHeader(request, proxies))
}

/** The same with the port, as a browser shows it in its address. */
export function requestAuthority(request: IncomingMessage, proxies: TrustedProxies | undefined): string {
  const header = hostHeader(request, proxies)
  const name = hostName(header)
  return name === '' ? '' : name + (/:\d{1,5}$/.exec(header.trim())?.[0] ?? '')
}

function hostHeader(request: IncomingMessage, proxies: TrustedProxies | undefined): string {
  const forwarded = request.headers['x-forwarded-host']
  const isForwarded = forwarded !== undefined && proxies?.isTrusted(plainAddress(request.socket.remoteAddress ?? ''))
  // Of several proxies the first wrote what the client asked for.
  const first = isForwarded ? String(forwarded).split(',')[0]?.trim() : undefined
  return first || (request.headers.host ?? '')
}

/** A Host header's name in its one spelling: lower case, ASCII, without port and the root's dot; '' for what no host is called. */
export function hostName(header: string): string {
  const text = header.trim()
  if (text.length > longestHost) return ''
  const name = decode(text).toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '')
  if (name.startsWith('[')) return isIPv6(name.slice(1, -1)) && name.endsWith(']') ? name : ''
  const ascii = /[^\0-\x7f]/.test(name) ? domainToASCII(name) : name
  return /^[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*$/.test(ascii) && ascii.length <= 253 ? ascii : ''
}

/** Headers come as bytes read as Latin-1; a name in UTF-8 is meant as that. */
function decode(name: string): string {
  if (!/[^\0-\x7f]/.test(name)) return name
  try {
    return utf8.decode(Buffer.from(name, 'latin1'))
  } catch {
    return name
  }
}

function plainAddress(text: string): string {
  const address = text.trim()
  if (address.startsWith('::ffff:') && address.includes('.')) return address.slice(7)
  if (isIP(address) !== 0) return address
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(address)?.[1]
  return bracketed ?? address.replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')
}
