import { maxPacket, partBytes } from './sizes.ts'

const frameTypes = [
  'hello',
  'ready',
  'code',
  'source',
  'call',
  'began',
  'answer',
  'drop',
  'done',
  'host',
  'log',
  'stuck',
  'heap',
  'room',
  'isolates',
  'late',
  'taken',
  'forsaken',
] as const

/** What a frame is about. */
export type FrameType = (typeof frameTypes)[number]

/** One message between the supervisor and a sandbox host; its fields are well-formed text, most of them JSON. */
export interface Frame {
  readonly type: FrameType
  /** The call it belongs to; 0 for none. */
  readonly id: number
  readonly fields: readonly string[]
}

const lengthBytes = 4
/** Of the length: the packet is a part of a message, and of the one under way where there is one. */
const isPart = 0x40000000
/** Of the length of a part: the message goes on in the next one. */
const more = 0x80000000
/** More than any limit lets through: a longer message means that the other side is broken. */
const maxMessage = 64 * 1024 * 1024
/** In JSON text a control character is always escaped. */
const separator = '\u001f'
/** In the place of the number of fields: one field follows, the JSON of all. */
const asJson = 'json'
const types: ReadonlySet<unknown> = new Set(frameTypes)

/**
 * Turns frames into packets, one as a rule: a u32 length and their parts with separators between. What is long comes in several, between
 * which other messages of one packet may be sent, but none of several. In a sandbox host every line of ours is interpreted: joining and
 * splitting are one built-in each, and texts that are JSON already are not escaped again.
 */
export function encodeFrames(frames: readonly Frame[]): readonly Buffer[] {
  const parts: string[] = []
  for (const { type, id, fields } of frames) {
    if (fields.some(hasSeparator)) parts.push(type, String(id), asJson, JSON.stringify(fields))
    else parts.push(type, String(id), String(fields.length), ...fields)
  }
  const text = parts.join(separator)
  const length = Buffer.byteLength(text)
  const packet = Buffer.allocUnsafe(lengthBytes + length)
  packet.write(text, lengthBytes)
  if (length > partBytes) return cut(packet.subarray(lengthBytes))
  packet.writeUInt32LE(length, 0)
  return [packet]
}

function cut(bytes: Buffer): readonly Buffer[] {
  const packets: Buffer[] = []
  for (let start = 0; start < bytes.length; start += partBytes) {
    const part = bytes.subarray(start, start + partBytes)
    const packet = Buffer.allocUnsafe(lengthBytes + part.length)
    packet.writeUInt32LE(part.length + isPart + (start + partBytes < bytes.length ? more : 0))
    part.copy(packet, lengthBytes)
    packets.push(packet)
  }
  return packets
}

/** Does the work on a message that has so many bytes, and belongs to whatever the frames are about that the work gives. */
type Measure = (bytes: number, work: () => readonly Frame[]) => readonly Frame[]

/** Gives back the function that cuts a stream of bytes into frames; it keeps no chunk, and throws at bytes that are no frames. */
export function createFrameReader(measure: Measure = (_bytes, work) => work()): (chunk: Buffer) => readonly Frame[] {
  let chunks: Buffer[] = []
  let held = 0
  let needed = lengthBytes
  /** Of a message whose end is still to come. */
  let parts: Buffer[] = []
  let partsLength = 0

  function read(payload: Buffer, flags: number): readonly Frame[] {
    if (flags === 0) return measure(payload.length, () => decodeMessage(payload))
    // Parts without bytes would take memory that is counted nowhere.
    if (flags >= more ? payload.length !== partBytes : payload.length === 0) throw new Error('a part of a wrong length')
    partsLength += payload.length
    if (partsLength > maxMessage) throw new Error('a message of an impossible length')
    parts.push(Buffer.from(payload))
    if (flags >= more) return []
    const whole = parts
    const bytes = partsLength
    parts = []
    partsLength = 0
    return measure(bytes, () => decodeMessage(Buffer.concat(whole)))
  }

  return (chunk) => {
    held += chunk.length
    if (held < needed) {
      chunks.push(Buffer.from(chunk))
      return []
    }
    const bytes = chunks.length === 0 ? chunk : Buffer.concat([...chunks, chunk])
    const frames: Frame[] = []
    let offset = 0
    needed = lengthBytes
    while (bytes.length - offset >= lengthBytes) {
      const head = bytes.readUInt32LE(offset)
      const length = head % isPart
      if (length > maxPacket) throw new Error('a packet of an impossible length')
      const end = offset + lengthBytes + length
      if (bytes.length < end) {
        needed = lengthBytes + length
        break
      }
      frames.push(...read(bytes.subarray(offset + lengthBytes, end), head - length))
      offset = end
    }
    held = bytes.length - offset
    chunks = held > 0 ? [Buffer.from(bytes.subarray(offset))] : []
    return frames
  }
}

/** The other side of the supervisor's channel is not to be trusted with the shape of what it sends. */
function decodeMessage(bytes: Buffer): readonly Frame[] {
  const parts = bytes.toString('utf8').split(separator)
  const frames: Frame[] = []
  for (let at = 0; at < parts.length;) {
    const type = parts[at]
    const id = Number(parts[at + 1])
    const isJson = parts[at + 2] === asJson
    const count = isJson ? 1 : Number(parts[at + 2])
    const start = at + 3
    at = start + count
    if (!types.has(type) || !Number.isSafeInteger(id) || !(count >= 0) || !(at <= parts.length)) throw notFrames()
    const fields = parts.slice(start, at)
    frames.push({ type: type as FrameType, id, fields: isJson ? parseFields(fields[0] ?? '') : fields })
  }
  return frames
}

function parseFields(json: string): readonly string[] {
  const fields: unknown = JSON.parse(json)
  if (Array.isArray(fields) && fields.every((field) => typeof field === 'string')) return fields
  throw notFrames()
}

function notFrames(): Error {
  return new Error('a packet of something else than frames')
}

function hasSeparator(field: string): boolean {
  return field.includes(separator)
}
