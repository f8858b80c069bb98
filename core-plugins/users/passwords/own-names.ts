import { domainToUnicode } from 'node:url'
import type { PasswordOwner } from '../contract.ts'
import { normaliseEmail } from '../identifier.ts'

/** What an account is found by and called, in every spelling that its owner might type: none of it is a password. */
export function ownNames({ email, account, phone, nickname }: PasswordOwner): readonly string[] {
  const digits = phone?.replace(/\D/g, '') ?? ''
  // A country's prefix, which people leave out, has up to three digits.
  const numbers = digits.length < 5 ? [] : [0, 1, 2, 3].map((prefix) => digits.slice(prefix))
  return [...(email === null ? [] : spellings(email)), account ?? '', nickname ?? '', ...numbers]
}

function spellings(email: string): readonly string[] {
  const address = normaliseEmail(email)
  const at = address.lastIndexOf('@')
  const local = address.slice(0, Math.max(at, 0))
  return [address, `${local}@${domainToUnicode(address.slice(at + 1))}`, local]
}
