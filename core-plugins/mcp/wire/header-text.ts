const wrapped = /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/

/** A text as a header has it: as it is, or where that would not come through in base64 between marks. */
export function toHeaderText(text: string): string {
  const isPlain = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !wrapped.test(text)
  return isPlain ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`
}

/** The text that a header has. */
export function fromHeaderText(header: string): string {
  const content = wrapped.exec(header)?.[1]
  return content === undefined ? header : Buffer.from(content, 'base64').toString('utf8')
}
