const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
const headerBytes = 30

/** Width and height in pixels, as an image's header says; the image itself is not read. */
interface ImageSize {
  readonly width: number
  readonly height: number
}

/** The size of a png or WebP, or undefined for anything else. */
export function iconSize(image: Buffer): ImageSize | undefined {
  if (image.length < headerBytes) return undefined
  if (image.subarray(0, png.length).equals(png)) {
    return { width: image.readUInt32BE(16), height: image.readUInt32BE(20) }
  }
  const isWebp = image.toString('latin1', 0, 4) === 'RIFF' && image.toString('latin1', 8, 12) === 'WEBP'
  return isWebp ? webpSize(image) : undefined
}

/** Lossy, lossless and extended files say their size each in its own way. */
function webpSize(image: Buffer): ImageSize | undefined {
  switch (image.toString('latin1', 12, 16)) {
    case 'VP8 ':
      if (image.readUIntBE(23, 3) !== 0x9d_01_2a) return undefined
      return { width: image.readUInt16LE(26) & 0x3fff, height: image.readUInt16LE(28) & 0x3fff }
    case 'VP8L': {
      if (image[20] !== 0x2f) return undefined
      const bits = image.readUInt32LE(21)
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
    }
    case 'VP8X':
      return { width: image.readUIntLE(24, 3) + 1, height: image.readUIntLE(27, 3) + 1 }
    default:
      return undefined
  }
}
