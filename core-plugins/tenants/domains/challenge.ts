import { createHmac } from 'node:crypto'
import type { Scope } from '#kernel'
import type { ConfigReader } from '../../config/contract.ts'
import { isApex, nameInZone, readCnameTarget } from './custom-domain.ts'

/** What a tenant has to put into its zone. */
export interface DomainChallenge {
  readonly tenantId: number
  readonly domain: string
  readonly isApex: boolean
  readonly txtName: string
  readonly txtValue: string
  /** The record's name within its zone; `@` is the zone itself. */
  readonly cnameName: string
  readonly cnameTarget: string
  readonly serverIps: readonly string[]
}

/** Tells what proves that a domain is a tenant's. */
export class DomainChallenges {
  readonly #key: Buffer
  readonly #config: ConfigReader

  constructor(secrets: Scope['secrets'], config: ConfigReader) {
    this.#key = secrets.derive('tenants.domain_verification')
    this.#config = config
  }

  /** The same for the same tenant and domain, whether or not it is bound. */
  async of(tenantId: number, domain: string): Promise<DomainChallenge> {
    const [prefix, cnameTarget, serverIps] = await Promise.all([
      this.#config.get<string>('domain_verification_prefix', 0, '_tenant-verify'),
      readCnameTarget(this.#config),
      this.#config.get<readonly string[]>('server_ips', 0, []),
    ])
    const cnameName = nameInZone(domain)
    const [txtName, txtValue] = [`${prefix}.${domain}`, this.txtValue(tenantId, domain)]
    return { tenantId, domain, isApex: isApex(domain), txtName, txtValue, cnameName, cnameTarget, serverIps }
  }

  /** What the TXT record says: of use to this tenant alone, and for this domain. */
  txtValue(tenantId: number, domain: string): string {
    const digest = createHmac('sha256', this.#key).update(`${tenantId}|${domain}`).digest()
    return `tenant-verify=${base32(digest.subarray(0, 20))}`
  }
}

/** RFC 4648 base32 in lower case, as zones are written; 20 bytes need no padding. */
function base32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return bits.replace(/.{5}/g, (five) => 'abcdefghijklmnopqrstuvwxyz234567'.charAt(parseInt(five, 2)))
}
