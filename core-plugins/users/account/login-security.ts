import ipaddr from 'ipaddr.js'
import { ValidationFailedError } from '#kernel'
import type { LoginSecurity } from '../contract.ts'
import { OwnAddressExcludedError } from '../errors.ts'

/** A change of what a user chose for the safety of the own sign-in; absent members stay. */
export type LoginSecurityChange = { readonly [name in keyof LoginSecurity]?: LoginSecurity[name] | undefined }

/**
 * The choice after a change. Throws 422/4220 for what is no address or network, and 400/4002 for a list of addresses
 * that the caller's own is not among, which would be the last change they make.
 */
export function changeLoginSecurity(present: LoginSecurity, change: LoginSecurityChange, ip: string): LoginSecurity {
  const { notifyNewDevice = present.notifyNewDevice, sessionMaxDevices = present.sessionMaxDevices } = change
  if (change.allowedIps === undefined) return { ...present, notifyNewDevice, sessionMaxDevices }
  const networks = change.allowedIps.map(readNetwork)
  const errors = networks.flatMap((network, place) =>
    network
      ? []
      : [{ field: `login_security.allowed_ips[${place}]`, rule: 'format', message: 'is no address and no network' }],
  )
  if (errors.length > 0) throw new ValidationFailedError({ errors })
  const known = networks.filter((network) => network !== undefined)
  if (known.length > 0 && !known.some((network) => contains(network, ip))) throw new OwnAddressExcludedError({ ip })
  const allowedIps = [...new Set(known.map(([address, bits]) => `${address.toString()}/${bits}`))]
  return { notifyNewDevice, sessionMaxDevices, allowedIps }
}

type Address = ipaddr.IPv4 | ipaddr.IPv6
type Network = readonly [Address, number]

/** An address is the network of itself alone; the bits behind the prefix do not matter. */
function readNetwork(text: string): Network | undefined {
  // Only whole notation: parts left out mean other addresses in other programs.
  if (ipaddr.IPv6.isValid(text) || ipaddr.IPv4.isValidFourPartDecimal(text)) {
    const address = ipaddr.process(text)
    return [address, address.kind() === 'ipv6' ? 128 : 32]
  }
  const isWhole = ipaddr.IPv6.isValidCIDR(text) || /^\d+\.\d+\.\d+\.\d+\/\d+$/.test(text)
  return isWhole && ipaddr.isValidCIDR(text) ? ipaddr.parseCIDR(text) : undefined
}

function contains([network, bits]: Network, ip: string): boolean {
  if (!ipaddr.isValid(ip)) return false
  const address = ipaddr.process(ip)
  return address.kind() === network.kind() && address.match([network, bits])
}
