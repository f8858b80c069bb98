import { JpegSeeker } from './jpeg-seeker.ts'
import { isOnItsSide } from './orientation.ts'

/** Pixels of an image as it is looked at. */
export interface ImageSize {
  readonly width: number
  readonly height: number
}

const readers: Readonly<Record<string, (head: Buffer) => ImageSize | undefined>> = {
  'image/png': (head) => ({ width: head.readUInt32BE(16), height: head.readUInt32BE(20) }),
  'image/gif': (head) => ({ width: head.readUInt16LE(6), height: head.readUInt16LE(8) }),
  'image/jpeg': readJpeg,
  'image/webp': readWebp,
}

/** No PNG has a longer side (PNG specification, section 5.2.2), and no other kind can say so. */
const longestSide = 2 ** 31 - 1

/** The size of an image from its first bytes, without decoding anything; undefined where they do not tell. */
export function readImageSize(mimeType: string, head: Buffer): ImageSize | undefined {
  try {
    const size = readers[mimeType]?.(head)
    return size && isSide(size.width) && isSide(size.height) ? size : undefined
  } catch (error) {
    // The bytes end before the size.
    if (error instanceof RangeError) return undefined
    throw error
  }
}

function isSide(pixels: number): boolean {
  return pixels > 0 && pixels <= longestSide
}

/** The size of an image that is held as it says. */
export function turned({ width, height }: ImageSize, orientation: number | undefined): ImageSize {
  return isOnItsSide(orientation) ? { width: height, height: width } : { width, height }
}

/** The size of a photograph that was looked through, as it is looked at. */
export function sizeOfJpeg({ size, orientation }: JpegSeeker): ImageSize | undefined {
  return size && isSide(size.width) && isSide(size.height) ? turned(size, orientation) : undefined
}

function readJpeg(head: Buffer): ImageSize | undefined {
  const seeker = new JpegSeeker()
  seeker.push(head)
  return sizeOfJpeg(seeker)
}

function readWebp(head: Buffer): ImageSize | undefined {
  const form = head.toString('latin1', 12, 16)
  if (form === 'VP8X') return { width: head.readUIntLE(24, 3) + 1, height: head.readUIntLE(27, 3) + 1 }
  if (form === 'VP8 ') return { width: head.readUInt16LE(26) & 0x3fff, height: head.readUInt16LE(28) & 0x3fff }
  if (form !== 'VP8L') return undefined
  const bits = head.readUInt32LE(21)
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
}
