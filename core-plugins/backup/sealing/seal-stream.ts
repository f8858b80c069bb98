import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { BackupError } from '../backup-error.ts'
import { inBlocks } from './blocks.ts'

// The STREAM construction of Hoang, Reyhanitabar, Rogaway and Vizár ("Online Authenticated-Encryption and its Nonce-Reuse
// Misuse-Resistance", CRYPTO 2015) as the payload of age has it (age-encryption.org/v1): blocks of 64 KiB, each sealed under a key
// of this stream alone with the number of the block and whether it is the last as its nonce. Here the cipher is AES-256-GCM, and
// the key comes from HKDF-SHA256 (RFC 5869) over a salt and the name, so that no stream passes for another.
const magic = Buffer.from('STOABK1\n')
const saltBytes = 32
const blockBytes = 65_536
const tagBytes = 16
const headBytes = magic.length + saltBytes

/** How many bytes so many take once they are sealed. */
export function sealedSize(bytes: number): number {
  return headBytes + bytes + tagBytes * Math.max(1, Math.ceil(bytes / blockBytes))
}

/** Encrypts content for one name; nothing of it can be changed, left out, moved or cut off unnoticed. */
export async function* sealStream(
  key: Buffer,
  name: string,
  source: AsyncIterable<Buffer> | Iterable<Buffer>,
): AsyncGenerator<Buffer> {
  const salt = randomBytes(saltBytes)
  const own = keyOf(key, salt, name)
  yield Buffer.concat([magic, salt])
  let number = 0
  let block: Buffer = Buffer.alloc(0)
  for await (const next of inBlocks(source, blockBytes)) {
    if (number > 0 || block.length > 0) yield seal(own, number++, block, false)
    block = next
  }
  yield seal(own, number, block, true)
}

/** What was sealed for this name; throws at the first block that is not as it was written, or when the end is missing. */
export async function* openStream(key: Buffer, name: string, source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const own: { key?: Buffer } = {}
  let number = 0
  let block: Buffer | undefined
  const take = (head: Buffer): void => {
    if (!head.subarray(0, magic.length).equals(magic)) throw damaged(name)
    own.key = keyOf(key, head.subarray(magic.length), name)
  }
  for await (const next of inBlocks(withoutHead(source, take), blockBytes + tagBytes)) {
    if (block) yield open(own.key, name, number++, block, false)
    block = next
  }
  if (!block) throw damaged(name)
  yield open(own.key, name, number, block, true)
}

async function* withoutHead(source: AsyncIterable<Buffer>, take: (head: Buffer) => void): AsyncGenerator<Buffer> {
  let head: Buffer | undefined = Buffer.alloc(0)
  for await (const chunk of source) {
    if (!head) {
      yield chunk
      continue
    }
    head = Buffer.concat([head, chunk])
    if (head.length < headBytes) continue
    take(head.subarray(0, headBytes))
    yield head.subarray(headBytes)
    head = undefined
  }
}

function seal(key: Buffer, number: number, block: Buffer, isLast: boolean): Buffer {
  const cipher = createCipheriv('aes-256-gcm', key, nonceOf(number, isLast))
  return Buffer.concat([cipher.update(block), cipher.final(), cipher.getAuthTag()])
}

function open(key: Buffer | undefined, name: string, number: number, block: Buffer, isLast: boolean): Buffer {
  if (!key || block.length < tagBytes) throw damaged(name)
  const cipher = createDecipheriv('aes-256-gcm', key, nonceOf(number, isLast), { authTagLength: tagBytes })
  cipher.setAuthTag(block.subarray(-tagBytes))
  try {
    return Buffer.concat([cipher.update(block.subarray(0, -tagBytes)), cipher.final()])
  } catch {
    throw damaged(name)
  }
}

function nonceOf(number: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12)
  nonce.writeUIntBE(number, 5, 6)
  nonce.writeUInt8(isLast ? 1 : 0, 11)
  return nonce
}

function keyOf(key: Buffer, salt: Buffer, name: string): Buffer {
  return Buffer.from(hkdfSync('sha256', key, salt, `stoa backup ${name}`, 32))
}

function damaged(name: string): BackupError {
  return new BackupError(`${name} is damaged: it is not what was written`)
}
