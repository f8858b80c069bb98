import { texts } from '../texts/texts.ts'
import type { DomainChallenge } from './challenge.ts'

/** Tells a tenant what to put into its zone. */
export function listInstructions(challenge: DomainChallenge, locale: string): readonly string[] {
  const { txtName, txtValue, cnameName, cnameTarget, serverIps } = challenge
  const apex = serverIps.length > 0 ? 'dns.apexWithAddresses' : 'dns.apex'
  const values = { txtName, txtValue, cnameName, cnameTarget, addresses: serverIps.join(', ') }
  const lines = [challenge.isApex ? apex : 'dns.cname', 'dns.txt', 'dns.proxy'] as const
  return lines.map((line) => texts.tell(line, locale, values))
}
