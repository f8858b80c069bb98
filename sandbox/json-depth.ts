/** As deep as the bodies of requests may be. */
const DEEPEST = 100

/** Whether a JSON text nests deeper than those behind can follow: JSON.parse does not recurse, JSON.stringify does. */
export function isTooDeep(json: string): boolean {
  let depth = 0
  let isInString = false
  for (let at = 0; at < json.length; at++) {
    switch (json.charCodeAt(at)) {
      case 0x22: // "
        isInString = !isInString
        break
      case 0x5c: // \
        at++
        break
      case 0x5b: // [
      case 0x7b: // {
        if (!isInString && ++depth > DEEPEST) return true
        break
      case 0x5d: // ]
      case 0x7d: // }
        if (!isInString) depth--
        break
    }
  }
  return false
}
