/** One server-sent event. */
export interface SentEvent {
  readonly event?: string
  /** The lines of data, joined. */
  readonly data: string
}

/** The event of a frame; undefined for one without data, such as a comment. */
export function readFrame(frame: Buffer): SentEvent | undefined {
  const text = frame.toString('utf8')
  let event: string | undefined
  let data: string | undefined
  for (const line of text.split(/\r\n|\n|\r/)) {
    const colon = line.indexOf(':')
    // A byte order mark may stand before the first field alone.
    const name = (colon < 0 ? line : line.slice(0, colon)).replace(/^\uFEFF/, '')
    if (name !== 'data' && name !== 'event') continue
    const value = colon < 0 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1)
    if (name === 'event') event = value
    else data = data === undefined ? value : `${data}\n${value}`
  }
  if (data === undefined) return undefined
  return event === undefined ? { data } : { event, data }
}
