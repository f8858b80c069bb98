import { domainToASCII } from 'node:url'

/** How a sign-in may name a user: the column and the one spelling it is kept in. */
export interface Identifier {
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
  return `${text.slice(0, at)}@${domainToASCII(host) || host}`
}

/** A phone number without what people put between the digits. */
export function normalisePhone(phone: string): string {
  return phone.replace(/[\s().-]/g, '').replace(/^00/, '+')
}

/** An account name in lower case. */
export function normaliseAccount(account: string): string {
  return account.trim().normalize('NFC').toLowerCase()
}
