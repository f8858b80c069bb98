import { domainToASCII } from 'node:url'
import type { MessageChannel } from '../../mail/contract.ts'

/** What a code is good for. */
export type CodePurpose = 'login' | 'reset'

/** An e-mail address or a phone number, in the spelling it is compared in. */
export interface Address {
  readonly channel: MessageChannel
  readonly address: string
}

/** What a code is bound to; it is good for nothing else. */
export interface CodeBinding extends Address {
  readonly tenantId: number
  readonly purpose: CodePurpose
}

/** Brings an address into one spelling, so that limits cannot be got round by writing it another way. */
export function readAddress(channel: MessageChannel, text: string): Address {
  return { channel, address: channel === 'email' ? readEmail(text) : text.replace(/[\s().-]/g, '').replace(/^00/, '+') }
}

/** The same for a name of whatever kind somebody signs in with. */
export function readName(text: string): string {
  if (text.includes('@')) return readEmail(text)
  return /^[+\d\s().-]+$/.test(text) ? readAddress('sms', text).address : text.trim().normalize('NFC').toLowerCase()
}

/** An address as it may be shown to whoever typed it: enough to recognise, too little to learn. */
export function maskAddress({ channel, address }: Address): string {
  if (channel === 'sms') return `${address.slice(0, 3)}****${address.slice(-2)}`
  const at = address.lastIndexOf('@')
  return `${address.slice(0, 1)}***${address.slice(at)}`
}

function readEmail(text: string): string {
  const email = text.trim().normalize('NFC').toLowerCase()
  const host = email.slice(email.lastIndexOf('@') + 1)
  return `${email.slice(0, email.length - host.length)}${domainToASCII(host) || host}`
}
