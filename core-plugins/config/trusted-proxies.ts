import { BlockList, isIP } from 'node:net'
import type { Scope, TrustedProxies } from '#kernel'
import { configChanged, valuesChanged, type ConfigReader } from './contract.ts'

/** The trusted proxies as the configuration has them, also after it changed. */
export async function followTrustedProxies(scope: Scope, reader: ConfigReader): Promise<TrustedProxies> {
  const proxies = new ConfiguredProxies(reader)
  await proxies.refresh()
  const hear = ({ keys }: { readonly keys: readonly string[] }): Promise<void> | undefined =>
    keys.includes('trusted_proxies') ? proxies.refresh() : undefined
  scope.on(configChanged, hear, 'every-host')
  scope.onChanges(valuesChanged, (tenants) => {
    if (tenants !== 'all' && !tenants.includes('0')) return
    proxies.refresh().catch((error: unknown) => scope.log.error({ err: error }, 'the trusted proxies cannot be read'))
  })
  return proxies
}

/** Keeps the list in a form that answers at once. */
class ConfiguredProxies implements TrustedProxies {
  readonly #reader: ConfigReader
  #trusted = new BlockList()

  constructor(reader: ConfigReader) {
    this.#reader = reader
  }

  /** Whether an address is a trusted proxy's. */
  isTrusted(address: string): boolean {
    const family = isIP(address)
    return family !== 0 && this.#trusted.check(address, family === 6 ? 'ipv6' : 'ipv4')
  }

  /** Takes over what the configuration says now; an entry that is no address or network trusts nobody. */
  async refresh(): Promise<void> {
    const entries = await this.#reader.get<readonly string[]>('trusted_proxies')
    const trusted = new BlockList()
    for (const entry of entries) addEntry(trusted, entry)
    this.#trusted = trusted
  }
}

function addEntry(trusted: BlockList, entry: string): void {
  const [address = '', length] = entry.split('/')
  const family = isIP(address)
  if (family === 0) return
  const bits = length === undefined ? (family === 6 ? 128 : 32) : Number(length)
  if (bits > (family === 6 ? 128 : 32)) return
  trusted.addSubnet(address, bits, family === 6 ? 'ipv6' : 'ipv4')
}
