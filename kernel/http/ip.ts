import type { IncomingMessage } from 'node:http'
import { isIP, isIPv6 } from 'node:net'
import { domainToASCII } from 'node:url'
import ipaddr from 'ipaddr.js'
import type { TrustedProxies } from './trusted-proxies.ts'

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

/** The host a request is for, in lower case and without port: a trusted proxy's X-Forwarded-Host, or Host. */
export function requestHost(request: IncomingMessage, proxies: TrustedProxies | undefined): string {
  const forwarded = request.headers['x-forwarded-host']
  const isForwarded = forwarded !== undefined && proxies?.isTrusted(plainAddress(request.socket.remoteAddress ?? ''))
  const host = (isForwarded ? String(forwarded).split(',')[0] : request.headers.host) ?? ''
  const name = host.trim().toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '')
  return /[^\0-\x7f]/.test(name) ? domainToASCII(name) : name
}

function plainAddress(text: string): string {
  const address = text.trim()
  if (address.startsWith('::ffff:') && address.includes('.')) return address.slice(7)
  if (isIP(address) !== 0) return address
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(address)?.[1]
  return bracketed ?? address.replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')
}
