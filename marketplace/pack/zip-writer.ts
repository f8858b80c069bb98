import { crc32, deflateRawSync } from 'node:zlib'

/** A file to be put into a zip. */
export interface ZipFile {
  readonly path: string
  readonly data: Buffer
}

/** 1980-01-01 in DOS form: the first day a zip knows. */
const DATE = 0x0021
const UNIX_REGULAR_0644 = 0o100644
const VERSION = 20

/**
 * Writes a zip that is the same for the same files, wherever and whenever it is written: sorted by the caller, without
 * times, rights, extra fields or comments. Deflated where that is shorter.
 */
export function writeZip(files: readonly ZipFile[]): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { path, data } of files) {
    const name = Buffer.from(path, 'latin1')
    const deflated = deflateRawSync(data, { level: 9 })
    const isShorter = deflated.length < data.length
    const packed = isShorter ? deflated : data
    const facts = Buffer.alloc(26)
    facts.writeUInt16LE(VERSION, 0)
    facts.writeUInt16LE(isShorter ? 8 : 0, 4)
    facts.writeUInt16LE(DATE, 8)
    facts.writeUInt32LE(crc32(data), 10)
    facts.writeUInt32LE(packed.length, 14)
    facts.writeUInt32LE(data.length, 18)
    facts.writeUInt16LE(name.length, 22)
    parts.push(Buffer.from('PK\x03\x04', 'latin1'), facts, name, packed)
    const tail = Buffer.alloc(14)
    tail.writeUInt32LE(UNIX_REGULAR_0644 * 0x1_0000, 6)
    tail.writeUInt32LE(offset, 10)
    // "Made by" is a Unix system, so that the mode counts.
    directory.push(Buffer.from('PK\x01\x02', 'latin1'), Buffer.from([VERSION, 3]), facts, tail, name)
    offset += 4 + facts.length + name.length + packed.length
  }
  const size = directory.reduce((sum, part) => sum + part.length, 0)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(files.length, 4)
  end.writeUInt16LE(files.length, 6)
  end.writeUInt32LE(size, 8)
  end.writeUInt32LE(offset, 12)
  return Buffer.concat([...parts, ...directory, Buffer.from('PK\x05\x06', 'latin1'), end])
}
