import type { ImageFormat } from './vocabulary.ts'

/** What images can be made from. */
export type SourceKind = ImageFormat | 'tiff' | 'avif'

const kinds: Readonly<Record<string, SourceKind>> = {
  'image/jpeg': 'jpg',
  'image/jpg': 'jpg',
  'image/pjpeg': 'jpg',
  'image/png': 'png',
  'image/apng': 'png',
  'image/webp': 'webp',
  'image/gif': 'gif',
  'image/tiff': 'tiff',
  'image/avif': 'avif',
}

/** The kind behind a media type; undefined for what is no raster image. */
export function kindOfType(mimeType: string): SourceKind | undefined {
  return Object.hasOwn(kinds, mimeType) ? kinds[mimeType] : undefined
}

/** The kind by the first bytes, whatever a file is called. */
export function kindOfBytes(bytes: Buffer): SourceKind | undefined {
  const text = bytes.toString('latin1', 0, 12)
  if (text.startsWith('\xff\xd8\xff')) return 'jpg'
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return 'png'
  if (text.startsWith('GIF87a') || text.startsWith('GIF89a')) return 'gif'
  if (text.startsWith('RIFF') && text.endsWith('WEBP')) return 'webp'
  if (text.startsWith('II*\0') || text.startsWith('MM\0*')) return 'tiff'
  if (text.slice(4) === 'ftypavif' || text.slice(4) === 'ftypavis') return 'avif'
  return undefined
}

/** What becomes of a kind where no format is asked for. */
export function usualFormat(kind: SourceKind): ImageFormat {
  return kind === 'tiff' || kind === 'avif' ? 'webp' : kind
}

/** The media type of a format. */
export function typeOfFormat(format: ImageFormat): string {
  return format === 'jpg' ? 'image/jpeg' : `image/${format}`
}
