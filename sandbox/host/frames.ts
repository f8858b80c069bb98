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

const LENGTH = 4
/** More than any limit lets through: a longer packet means that the other side is broken. */
const MAX_PACKET = 64 * 1024 * 1024
/** In JSON text a control character is always escaped. */
const SEPARATOR = '\u001f'
/** In the place of the number of fields: one field follows, the JSON of all. */
const AS_JSON = 'json'
const types: ReadonlySet<unknown> = new Set(frameTypes)

/**
 * Turns frames into one packet: a u32 length and their parts with separators between. In a sandbox host every line of ours is
 * interpreted: joining and splitting are one built-in each, and texts that are JSON already are not escaped again.
 */
export function encodeFrames(frames: readonly Frame[]): Buffer {
  const parts: string[] = []
  for (const { type, id, fields } of frames) {
    if (fields.some(hasSeparator)) parts.push(type, String(id), AS_JSON, JSON.stringify(fields))
    else parts.push(type, String(id), String(fields.length), ...fields)
  }
  const text = parts.join(SEPARATOR)
  const length = Buffer.byteLength(text)
  const packet = Buffer.allocUnsafe(LENGTH + length)
  packet.writeUInt32LE(length, 0)
  packet.write(text, LENGTH)
  return packet
}

/** Gives back the function that cuts a stream of bytes into frames; it keeps no chunk, and throws at bytes that are no frames. */
export function createFrameReader(): (chunk: Buffer) => Frame[] {
  let chunks: Buffer[] = []
  let held = 0
  let needed = LENGTH
  return (chunk) => {
    held += chunk.length
    if (held < needed) {
      chunks.push(Buffer.from(chunk))
      return []
    }
    const bytes = chunks.length === 0 ? chunk : Buffer.concat([...chunks, chunk])
    const frames: Frame[] = []
    let offset = 0
    needed = LENGTH
    while (bytes.length - offset >= LENGTH) {
      const length = bytes.readUInt32LE(offset)
      if (length > MAX_PACKET) throw new Error('a packet of an impossible length')
      const end = offset + LENGTH + length
      if (bytes.length < end) {
        needed = LENGTH + length
        break
      }
      decodePacket(bytes.toString('utf8', offset + LENGTH, end), frames)
      offset = end
    }
    held = bytes.length - offset
    chunks = held > 0 ? [Buffer.from(bytes.subarray(offset))] : []
    return frames
  }
}

/** The other side of the supervisor's channel is not to be trusted with the shape of what it sends. */
function decodePacket(text: string, frames: Frame[]): void {
  const parts = text.split(SEPARATOR)
  for (let at = 0; at < parts.length;) {
    const type = parts[at]
    const id = Number(parts[at + 1])
    const isJson = parts[at + 2] === AS_JSON
    const count = isJson ? 1 : Number(parts[at + 2])
    const start = at + 3
    at = start + count
    if (!types.has(type) || !Number.isSafeInteger(id) || !(count >= 0) || !(at <= parts.length)) throw notFrames()
    const fields = parts.slice(start, at)
    frames.push({ type: type as FrameType, id, fields: isJson ? parseFields(fields[0] ?? '') : fields })
  }
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
  return field.includes(SEPARATOR)
}
