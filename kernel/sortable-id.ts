import { randomBytes } from 'node:crypto'

/** Crockford's base 32: no letter that is taken for a digit. */
const letters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** An id such as `prv_01J…`: 48 bits of time and 80 of chance as a ULID has them, so ids sort by when they were made and cannot be guessed. */
export function createSortableId(prefix: string, milliseconds = Date.now()): string {
  const time = Array.from({ length: 10 }, (_, at) => letters[Math.floor(milliseconds / 32 ** (9 - at)) % 32])
  const chance = Array.from(randomBytes(16), (byte) => letters[byte % 32])
  return `${prefix}_${time.join('')}${chance.join('')}`
}
