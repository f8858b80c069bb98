import { domainToASCII } from 'node:url'

/** How a sign-in may name a user: the column and the one spelling it is kept in. */
interface Identifier {
  readonly column: 'account' | 'email' | 'phone'
  readonly value: string
}

/** What a typed name means: with an at-sign an e-mail, of digits a phone, otherwise an account. */
export function readIdentifier(typed: string): Identifier {
  if (typed.includes('@')) return { column: 'email', value: normaliseEmail(typed) }
  const phone = normalisePhone(typed)
  if (/^\+?[0-9]{5,20}$/.test(phone)) return { column: 'phone', value: phone }
  return { column: 'account', value: normaliseAccount(typed) }
}

/** An e-mail address in the spelling it is compared in: lower case, the host in ASCII. */
export function normaliseEmail(email: string): string {
  const text = email.trim().normalize('NFC').toLowerCase()
  const at = text.lastIndexOf('@')
  const host = text.slice(at + 1)
  // What comes behind a host in a URL would be cut off, and two addresses be one.
  if (/[/?#\\%]/.test(host)) return text
  return `${text.slice(0, at)}@${domainToASCII(host) || host}`
}

// Dot-atoms (RFC 5321, RFC 6531), and a host of labels: nothing that a header or a command would have to quote.
const writable = /^[^\s"(),:;<>@[\\\]\p{C}]{1,64}@[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})+$/u

/** Whether a message can be sent to a normalised address. */
export function isWritableEmail(email: string): boolean {
  return email.length <= 254 && writable.test(email)
}

/** A phone number without what people put between the digits. */
export function normalisePhone(phone: string): string {
  return phone.replace(/[\s().-]/g, '').replace(/^00/, '+')
}

/** An account name in lower case. */
export function normaliseAccount(account: string): string {
  return account.trim().normalize('NFC').toLowerCase()
}
