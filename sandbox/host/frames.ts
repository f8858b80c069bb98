/** What a frame is about; its place in this list is its number on the wire. */
const frameTypes = [
  'hello',
  'ready',
  'code',
  'call',
  'answer',
  'drop',
  'done',
  'host',
  'log',
  'stuck',
  'began',
] as const

/** What a frame is about. */
export type FrameType = (typeof frameTypes)[number]

/** One message between the supervisor and a sandbox host: texts, so that JSON travels as it is and is never quoted again. */
export interface Frame {
  readonly type: FrameType
  /** The call it belongs to; 0 for none. */
  readonly id: number
  readonly fields: readonly string[]
}

const LENGTH = 4
const HEADER = LENGTH + 6
/** More than any limit lets through: a longer frame means that the other side is broken. */
const MAX_FRAME = 64 * 1024 * 1024

/** Turns a frame into bytes: u32 length, u8 type, u32 id, u8 number of fields, then u32 length and text of each. */
export function encodeFrame(frame: Frame): Buffer {
  const lengths = frame.fields.map((field) => Buffer.byteLength(field))
  const total = lengths.reduce((sum, length) => sum + LENGTH + length, HEADER)
  const bytes = Buffer.allocUnsafe(total)
  bytes.writeUInt32LE(total - LENGTH, 0)
  bytes.writeUInt8(frameTypes.indexOf(frame.type), LENGTH)
  bytes.writeUInt32LE(frame.id, LENGTH + 1)
  bytes.writeUInt8(frame.fields.length, LENGTH + 5)
  let offset = HEADER
  for (const [index, field] of frame.fields.entries()) {
    offset = bytes.writeUInt32LE(lengths[index] ?? 0, offset)
    offset += bytes.write(field, offset)
  }
  return bytes
}

function decodeFrame(bytes: Buffer): Frame {
  const type = frameTypes[bytes.readUInt8(0)]
  if (!type) throw new Error('a frame of an unknown type')
  const id = bytes.readUInt32LE(1)
  const fields: string[] = []
  let offset = HEADER - LENGTH
  for (let left = bytes.readUInt8(5); left > 0; left--) {
    const start = offset + LENGTH
    offset = start + bytes.readUInt32LE(offset)
    if (offset > bytes.length) throw new Error('a frame with a field beyond its end')
    fields.push(bytes.toString('utf8', start, offset))
  }
  return { type, id, fields }
}

/** Gives back the function that cuts a stream of bytes into frames; it throws at bytes that are none. */
export function createFrameReader(): (chunk: Buffer) => Frame[] {
  let chunks: Buffer[] = []
  let held = 0
  let needed = LENGTH
  return (chunk) => {
    chunks.push(chunk)
    held += chunk.length
    if (held < needed) return []
    const bytes = chunks.length === 1 ? chunk : Buffer.concat(chunks)
    const frames: Frame[] = []
    let offset = 0
    needed = LENGTH
    while (bytes.length - offset >= LENGTH) {
      const length = bytes.readUInt32LE(offset)
      if (length < HEADER - LENGTH || length > MAX_FRAME) throw new Error('a frame of an impossible length')
      if (bytes.length - offset - LENGTH < length) {
        needed = LENGTH + length
        break
      }
      frames.push(decodeFrame(bytes.subarray(offset + LENGTH, offset + LENGTH + length)))
      offset += LENGTH + length
    }
    chunks = offset < bytes.length ? [bytes.subarray(offset)] : []
    held = bytes.length - offset
    return frames
  }
}
