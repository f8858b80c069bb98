const frameTypes = [
  'hello',
  'ready',
  'code',
  'call',
  'began',
  'answer',
  'drop',
  'done',
  'host',
  'log',
  'stuck',
] as const

/** What a frame is about. */
export type FrameType = (typeof frameTypes)[number]

/** One message between the supervisor and a sandbox host. */
export interface Frame {
  readonly type: FrameType
  /** The call it belongs to; 0 for none. */
  readonly id: number
  readonly fields: readonly string[]
}

const LENGTH = 4
/** More than any limit lets through: a longer packet means that the other side is broken. */
const MAX_PACKET = 64 * 1024 * 1024
const types: ReadonlySet<unknown> = new Set(frameTypes)

/**
 * Turns frames into one packet: a u32 length and their JSON. In a sandbox host every line of ours is interpreted, so the
 * engine's own JSON is far quicker than any layout of bytes.
 */
export function encodeFrames(frames: readonly Frame[]): Buffer {
  const text = JSON.stringify(frames)
  const length = Buffer.byteLength(text)
  const packet = Buffer.allocUnsafe(LENGTH + length)
  packet.writeUInt32LE(length, 0)
  packet.write(text, LENGTH)
  return packet
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
    let frames: Frame[] = []
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
      const read = decodePacket(bytes.toString('utf8', offset + LENGTH, end))
      frames = frames.length === 0 ? read : [...frames, ...read]
      offset = end
    }
    chunks = offset < bytes.length ? [bytes.subarray(offset)] : []
    held = bytes.length - offset
    return frames
  }
}

function decodePacket(text: string): Frame[] {
  const frames: unknown = JSON.parse(text)
  if (!Array.isArray(frames) || !frames.every(isFrame)) throw new Error('a packet of something else than frames')
  return frames
}

/** The other side of the supervisor's channel is not to be trusted with the shape of what it sends. */
function isFrame(value: unknown): value is Frame {
  if (typeof value !== 'object' || value === null) return false
  const { type, id, fields } = value as Partial<Frame>
  return types.has(type) && Number.isInteger(id) && Array.isArray(fields) && fields.every(isText)
}

function isText(value: unknown): boolean {
  return typeof value === 'string'
}
