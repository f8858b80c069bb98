import { crc32, deflateRawSync } from 'node:zlib'

/** An entry of a zip that may lie about anything. */
export interface ForgedEntry {
  readonly path: string | Buffer
  readonly data?: Buffer | string
  readonly method?: number
  readonly flags?: number
  readonly crc?: number
  readonly size?: number
  readonly packed?: Buffer
  readonly compressedSize?: number
  readonly mode?: number
  /** What a DOS system says of a file: 0x10 is a folder. */
  readonly attributes?: number
  /** The version of the format that reading it takes, times ten. */
  readonly version?: number
  readonly extra?: Buffer
  readonly localExtra?: Buffer
  readonly comment?: string
  readonly disk?: number
  readonly offset?: number
  /** What only the local header says. */
  readonly local?: Partial<
    Pick<ForgedEntry, 'path' | 'flags' | 'crc' | 'size' | 'compressedSize' | 'method' | 'version'>
  >
  /** Bytes of no entry before it. */
  readonly gap?: Buffer
}

/** What an archive may lie about as a whole. */
export interface ForgedArchive {
  readonly prefix?: Buffer
  readonly suffix?: Buffer
  readonly comment?: string
  readonly count?: number
  readonly countHere?: number
  readonly directoryOffset?: number
  readonly directorySize?: number
  /** Bytes between the directory and the end record. */
  readonly afterDirectory?: Buffer
  readonly directoryGap?: Buffer
  readonly disk?: number
}

/** Writes a zip exactly as told. */
export function buildZip(entries: readonly ForgedEntry[], archive: ForgedArchive = {}): Buffer {
  const parts: Buffer[] = [archive.prefix ?? Buffer.alloc(0)]
  const directory: Buffer[] = []
  let offset = parts[0]?.length ?? 0
  for (const entry of entries) {
    const data = Buffer.from(entry.data ?? '')
    const method = entry.method ?? 0
    const packed = entry.packed ?? (method === 8 ? deflateRawSync(data) : data)
    const facts = {
      path: entry.path,
      flags: entry.flags ?? 0,
      method,
      version: entry.version ?? 20,
      crc: entry.crc ?? crc32(data),
      compressedSize: entry.compressedSize ?? packed.length,
      size: entry.size ?? data.length,
    }
    const gap = entry.gap ?? Buffer.alloc(0)
    const local = header('PK\x03\x04', { ...facts, ...entry.local }, entry.localExtra)
    parts.push(gap, local, packed)
    const tail = Buffer.alloc(14)
    const comment = Buffer.from(entry.comment ?? '')
    tail.writeUInt16LE(comment.length, 0)
    tail.writeUInt16LE(entry.disk ?? 0, 2)
    tail.writeUInt32LE((entry.mode ?? 0o100644) * 0x1_0000 + (entry.attributes ?? 0), 6)
    tail.writeUInt32LE(entry.offset ?? offset + gap.length, 10)
    directory.push(header('PK\x01\x02\x14\x03', facts, entry.extra, tail), comment)
    offset += gap.length + local.length + packed.length
  }
  const listed = Buffer.concat(directory)
  const gap = archive.directoryGap ?? Buffer.alloc(0)
  const comment = Buffer.from(archive.comment ?? '')
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(archive.disk ?? 0, 4)
  end.writeUInt16LE(archive.countHere ?? archive.count ?? entries.length, 8)
  end.writeUInt16LE(archive.count ?? entries.length, 10)
  end.writeUInt32LE(archive.directorySize ?? listed.length, 12)
  end.writeUInt32LE(archive.directoryOffset ?? offset + gap.length, 16)
  end.writeUInt16LE(comment.length, 20)
  const after = archive.afterDirectory ?? Buffer.alloc(0)
  return Buffer.concat([...parts, gap, listed, after, end, comment, archive.suffix ?? Buffer.alloc(0)])
}

interface Facts {
  readonly path: string | Buffer
  readonly flags: number
  readonly version: number
  readonly method: number
  readonly crc: number
  readonly compressedSize: number
  readonly size: number
}

function header(start: string, facts: Facts, extra: Buffer = Buffer.alloc(0), tail: Buffer = Buffer.alloc(0)): Buffer {
  const name = Buffer.from(facts.path)
  const fixed = Buffer.alloc(26)
  fixed.writeUInt16LE(facts.version, 0)
  fixed.writeUInt16LE(facts.flags, 2)
  fixed.writeUInt16LE(facts.method, 4)
  fixed.writeUInt16LE(0x21, 8)
  fixed.writeUInt32LE(facts.crc, 10)
  fixed.writeUInt32LE(facts.compressedSize, 14)
  fixed.writeUInt32LE(facts.size, 18)
  fixed.writeUInt16LE(name.length, 22)
  fixed.writeUInt16LE(extra.length, 24)
  return Buffer.concat([Buffer.from(start, 'latin1'), fixed, tail, name, extra])
}
