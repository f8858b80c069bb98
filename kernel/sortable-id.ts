import { randomBytes } from 'node:crypto'

/** Crockford's base 32: no letter that is taken for a digit. */
const letters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** An id such as `prv_01J…`: 48 bits of time and 80 of chance as a ULID has them, so ids sort by when they were made and cannot be guessed. */
export function createSortableId(prefix: string, milliseconds = Date.now()): string {
  let time = ''
  for (let rest = milliseconds, at = 0; at < 10; at++, rest = Math.floor(rest / 32))
    time = `${letters[rest % 32]}${time}`
  let chance = ''
  for (const byte of randomBytes(16)) chance += letters[byte % 32]
  return `${prefix}_${time}${chance}`
}
