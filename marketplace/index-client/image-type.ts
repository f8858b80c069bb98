import type { IndexImage } from './index-source.ts'

/** What an image is by its first bytes; nothing for anything else, whatever it is called. */
export function imageTypeOf(bytes: Buffer): IndexImage['type'] | undefined {
  const begin = bytes.subarray(0, 12).toString('latin1')
  if (begin.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png'
  if (begin.startsWith('\xff\xd8\xff')) return 'image/jpeg'
  if (begin.startsWith('GIF87a') || begin.startsWith('GIF89a')) return 'image/gif'
  if (begin.startsWith('RIFF') && begin.slice(8) === 'WEBP') return 'image/webp'
  return undefined
}
