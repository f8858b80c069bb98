/** As deep as the bodies of requests may be. */
const deepest = 100

/** Whether a JSON text nests deeper than those behind can follow: JSON.parse does not recurse, JSON.stringify does. */
export function isTooDeep(json: string): boolean {
  let depth = 0
  for (let at = 0; at < json.length; at++) {
    switch (json.charCodeAt(at)) {
      case 0x22: // "
        at = endOfText(json, at)
        break
      case 0x5b: // [
      case 0x7b: // {
        if (++depth > deepest) return true
        break
      case 0x5d: // ]
      case 0x7d: // }
        depth--
        break
    }
  }
  return false
}

/** Most of a large JSON text is within quotes, and is leapt over rather than read. */
function endOfText(json: string, start: number): number {
  for (let at = json.indexOf('"', start + 1); at !== -1; at = json.indexOf('"', at + 1)) {
    let before = at - 1
    while (json.charCodeAt(before) === 0x5c) before--
    if ((at - before) % 2 === 1) return at
  }
  return json.length
}
