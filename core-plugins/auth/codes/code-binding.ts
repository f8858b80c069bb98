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

/** An address as it may be shown to whoever typed it: enough to recognise, too little to learn. */
export function maskAddress({ channel, address }: Address): string {
  if (channel === 'sms') return `${address.slice(0, 3)}****${address.slice(-2)}`
  const at = address.lastIndexOf('@')
  return `${address.slice(0, 1)}***${address.slice(at)}`
}
