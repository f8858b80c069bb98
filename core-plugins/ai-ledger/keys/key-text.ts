import { randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

const base32 = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const form = /^sk-aip-([0-9A-HJKMNP-TV-Z]{8})-([0-9A-Za-z]{43})-([0-9a-f]{4})$/

/** The parts of a key. */
interface KeyText {
  /** Of the key's row. */
  readonly id: string
  readonly secret: string
}

/** A secret of 256 bits. */
export function newSecret(): string {
  return draw(43, base62)
}

/** The id of a new key. */
export function newKeyId(): string {
  return `key_${draw(8, base32)}`
}

/** A key as its holder has it: `sk-aip-<id>-<secret>-<checksum>`. */
export function writeKey({ id, secret }: KeyText): string {
  const body = `sk-aip-${id.slice(4)}-${secret}`
  return `${body}-${checksum(body)}`
}

/** The end of a key, by which its holder knows it. */
export function hintOf(key: string): string {
  return `…${key.slice(-4)}`
}

/** The parts of a key; undefined of what is none, a mistyped one included. */
export function readKey(text: string): KeyText | undefined {
  const parts = form.exec(text)
  if (!parts || checksum(text.slice(0, -5)) !== parts[3]) return undefined
  return { id: `key_${parts[1]}`, secret: parts[2] ?? '' }
}

/** Tells mistakes from keys, and scanners of secrets keys from other text, without a look into the database. */
function checksum(body: string): string {
  return (crc32(body) & 0xffff).toString(16).padStart(4, '0')
}

function draw(length: number, letters: string): string {
  return Array.from({ length }, () => letters[randomInt(letters.length)]).join('')
}
