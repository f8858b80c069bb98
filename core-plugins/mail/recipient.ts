import type { MessageChannel } from './contract.ts'

// Dot-atoms of RFC 5321 and RFC 6531 only: nothing that a header or a command would have to quote.
const email = /^[^\s"(),:;<>@[\\\]\p{C}]{1,64}@[^\s"(),:;<>@[\\\]\p{C}]{1,253}$/u
const phone = /^\+?[0-9]{5,20}$/

/** A recipient in the one spelling that drivers get; undefined for what is no single address of the channel. */
export function readRecipient(channel: MessageChannel, to: string): string | undefined {
  const text = channel === 'email' ? to.trim() : to.replace(/[\s().-]/g, '').replace(/^00/, '+')
  const fits = channel === 'email' ? email.test(text) && Buffer.byteLength(text) <= 254 : phone.test(text)
  return fits ? text : undefined
}

/** A recipient that a log may name: the first letter and the host, or the last two digits. */
export function maskRecipient(to: string): string {
  const at = to.lastIndexOf('@')
  return at > 0 ? `${[...to][0]}***${to.slice(at)}` : `***${to.slice(-2)}`
}
