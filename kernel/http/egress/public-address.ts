import ipaddr, { type IPv4, type IPv6 } from 'ipaddr.js'

type Range = readonly [IPv4 | IPv6, number]
const ranges = (...texts: readonly string[]): readonly Range[] => texts.map((text) => ipaddr.parseCIDR(text))

const globalUnicast = ipaddr.parseCIDR('2000::/3')
/** Well-known nat64: the last 32 bits are the IPv4 address that is meant. */
const nat64 = ipaddr.parseCIDR('64:ff9b::/96')
/** Public by number, and yet a cloud's own service, a tunnel or documentation. */
const notForGuests = ranges('168.63.129.16/32', '2001::/23', '2002::/16', '2001:db8::/32', '3ffe::/16', '3fff::/20')
/** Where credentials of the machine are handed out, and everything that never is a server of somebody's own. */
const never = ranges(
  ...['169.254.0.0/16', '168.63.129.16/32', '100.100.100.200/32', '192.0.0.192/32', '0.0.0.0/8', '224.0.0.0/4'],
  ...['255.255.255.255/32', 'fe80::/10', 'fd00:ec2::/32', 'fd20:ce::/32', 'ff00::/8', '::/128'],
)

/** Whether an address belongs to the public internet and to nothing that is near this machine. */
export function isPublicAddress(text: string): boolean {
  const address = meantAddress(text)
  if (!address || isIn(address, notForGuests) || address.range() !== 'unicast') return false
  return address.kind() === 'ipv4' || (isIn(address, [globalUnicast]) && !isTunnelled(address as IPv6))
}

/** Whether an address may be reached where the operator made an exception: private ones, but never link-local or metadata ones. */
export function isExceptionAddress(text: string): boolean {
  const address = meantAddress(text)
  return address !== undefined && !isIn(address, never)
}

/** The address that packets go to in the end: of a mapped or translated one the IPv4 inside. */
function meantAddress(text: string): IPv4 | IPv6 | undefined {
  try {
    const address = ipaddr.process(text)
    if (address.kind() === 'ipv4' || !isIn(address, [nat64])) return address
    return ipaddr.parse(address.toByteArray().slice(12).join('.'))
  } catch {
    return undefined
  }
}

function isIn(address: IPv4 | IPv6, candidates: readonly Range[]): boolean {
  return candidates.some(
    ([network, bits]) => network.kind() === address.kind() && address.match([network, bits] as never),
  )
}

/** ISATAP: an IPv4 address, perhaps a private one, in the interface's half. */
function isTunnelled(address: IPv6): boolean {
  return address.parts[5] === 0x5efe && (address.parts[4] === 0 || address.parts[4] === 0x200)
}
