import { ObjectKeyInvalidError } from '../errors.ts'

const longestBytes = 512

/** The key in the one form it is stored in; throws for what is no key. */
export function checkObjectKey(given: string): string {
  const key = given.normalize('NFC')
  const fault = faultOf(key)
  if (fault) throw new ObjectKeyInvalidError({ fault })
  return key
}

function faultOf(key: string): string | undefined {
  if (key === '') return 'is empty'
  if (!key.isWellFormed()) return 'is no Unicode text'
  if (Buffer.byteLength(key) > longestBytes) return `is longer than ${longestBytes} bytes`
  if (/\p{Cc}/u.test(key)) return 'has control characters'
  const segments = key.split('/')
  if (segments.includes('')) return 'has an empty segment'
  return segments.includes('.') || segments.includes('..') ? 'has a segment of dots' : undefined
}
