import { fieldFault } from './faults.ts'
import type { MediaSource } from './neutral.ts'

/** RFC 2397, as far as vendors take it: a media type, and base64. */
const dataUrl = /^data:([\w.+-]+\/[\w.+-]+)(?:;[\w=.+-]+)*;base64,/i

/** What a client's `url` points at: the web, or the picture itself. */
export function readMediaUrl(url: string, field: string): MediaSource {
  if (/^https?:\/\//i.test(url)) return { kind: 'url', url }
  // Only the head is matched: the data may have megabytes.
  const head = dataUrl.exec(url.slice(0, 200))
  if (!head?.[1]) throw fieldFault(field, 'must be an http(s) address or a data: address in base64')
  return { kind: 'data', mediaType: head[1].toLowerCase(), base64: url.slice(head[0].length) }
}

/** A source as an address, where it has one. */
export function mediaUrl(source: MediaSource): string | undefined {
  if (source.kind === 'url') return source.url
  return source.kind === 'data' ? `data:${source.mediaType};base64,${source.base64}` : undefined
}
