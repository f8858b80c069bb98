import { emptyRecord } from './url-record.js'
import { failed } from './url-scheme-states.js'
import { UrlStates } from './url-states.js'

/** The URL that a text says, seen from another one where that is given; undefined when it says none. */
export function parseUrl(text, base) {
  const url = emptyRecord()
  return new UrlStates(withoutBreaks(trimmed(text)), base, url, undefined).run() === failed ? undefined : url
}

/** Changes a part of a URL, beginning in a state of the parser; what cannot be is left as it was. */
export function changePart(url, state, text) {
  new UrlStates(withoutBreaks(text), undefined, url, state).run()
}

function withoutBreaks(text) {
  return text.replace(/[\t\n\r]/g, '')
}

/** Without control characters and spaces around. */
function trimmed(text) {
  let start = 0
  let end = text.length
  while (start < end && text.charCodeAt(start) <= 0x20) start++
  while (end > start && text.charCodeAt(end - 1) <= 0x20) end--
  return text.slice(start, end)
}
