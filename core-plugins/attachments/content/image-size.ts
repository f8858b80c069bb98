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
  'image/bmp': readBmp,
  'image/x-icon': readIcon,
  'image/tiff': readTiff,
  'image/avif': readAvif,
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

/** A height below zero is of rows from the top (Microsoft, BITMAPINFOHEADER); the oldest form has sides of 16 bits. */
function readBmp(head: Buffer): ImageSize {
  if (head.readUInt32LE(14) === 12) return { width: head.readUInt16LE(18), height: head.readUInt16LE(20) }
  return { width: head.readInt32LE(18), height: Math.abs(head.readInt32LE(22)) }
}

/** The largest of an icon's images; a side of 256 is written as 0. */
function readIcon(head: Buffer): ImageSize | undefined {
  let size: ImageSize | undefined
  for (let index = 0; index < head.readUInt16LE(4); index++) {
    const at = 6 + 16 * index
    size = larger(size, { width: head.readUInt8(at) || 256, height: head.readUInt8(at + 1) || 256 })
  }
  return size
}

/** Tags of the first directory (TIFF 6.0, section 8), which may lie behind what the head has. */
function readTiff(head: Buffer): ImageSize | undefined {
  const isLittle = head[0] === 0x49
  const short = (at: number): number => (isLittle ? head.readUInt16LE(at) : head.readUInt16BE(at))
  const long = (at: number): number => (isLittle ? head.readUInt32LE(at) : head.readUInt32BE(at))
  const shortType = 3
  const sides = new Map<number, number>()
  const directory = long(4)
  for (let index = 0; index < short(directory); index++) {
    const at = directory + 2 + 12 * index
    sides.set(short(at), short(at + 2) === shortType ? short(at + 8) : long(at + 8))
  }
  const [width, height] = [sides.get(256), sides.get(257)]
  return width === undefined || height === undefined ? undefined : turned({ width, height }, sides.get(274))
}

/** The largest of the sizes that its properties tell (ISO/IEC 23008-12, `ispe`): the others are of tiles, thumbnails and transparency. */
function readAvif(head: Buffer): ImageSize | undefined {
  let size: ImageSize | undefined
  for (let at = head.indexOf('ispe', 0, 'latin1'); at > 0; at = head.indexOf('ispe', at + 1, 'latin1')) {
    size = larger(size, { width: head.readUInt32BE(at + 8), height: head.readUInt32BE(at + 12) })
  }
  const rotation = head.indexOf('irot', 0, 'latin1')
  // In quarters of a turn.
  const isOnSide = rotation > 0 && head.readUInt8(rotation + 4) % 2 === 1
  return size && isOnSide ? { width: size.height, height: size.width } : size
}

function larger(one: ImageSize | undefined, other: ImageSize): ImageSize {
  return one && one.width * one.height >= other.width * other.height ? one : other
}
