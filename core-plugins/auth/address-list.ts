import { BlockList, isIP } from 'node:net'

/** Tests addresses against a list of addresses and networks; an entry that is neither admits nobody. */
export function compileAddressList(entries: readonly string[]): (address: string) => boolean {
  const list = new BlockList()
  for (const entry of entries) addEntry(list, entry.trim())
  return (address) => {
    const family = isIP(address)
    return family !== 0 && list.check(address, family === 6 ? 'ipv6' : 'ipv4')
  }
}

function addEntry(list: BlockList, entry: string): void {
  const [address = '', length] = entry.split('/')
  const family = isIP(address)
  if (family === 0) return
  const longest = family === 6 ? 128 : 32
  const bits = length === undefined ? longest : Number(length)
  if (!Number.isInteger(bits) || bits < 0 || bits > longest) return
  list.addSubnet(address, bits, family === 6 ? 'ipv6' : 'ipv4')
}
