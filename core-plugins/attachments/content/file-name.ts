import { FileRejectedError } from '../errors.ts'

const longestBytes = 255

/** A name as it is shown, with the extension that decides what the file may be. */
export interface FileName {
  readonly filename: string
  /** Small letters without the dot; empty without one. */
  readonly extension: string
}

/**
 * The last segment of a name that somebody gave, without what would mislead readers or break headers: paths, control characters, and
 * marks that change the direction of text. Throws 400/4008 when nothing is left.
 */
export function readFileName(given: string): FileName {
  const last = given.split(/[\\/]/).at(-1) ?? ''
  const shown = last
    .normalize('NFC')
    // Control and format characters, surrogates without their half, and separators of lines.
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu, '')
    .trim()
    // From the first of them alone, or a name of dots would be walked through once for each.
    .replace(/(?<![. ])[. ]+$/, '')
  if (shown === '' || /^\.+$/.test(shown)) throw new FileRejectedError({ fault: 'it has no name' }, details('filename'))
  const extension = /\.([a-z0-9]{1,16})$/i.exec(shown)?.[1]?.toLowerCase() ?? ''
  return { filename: shorten(shown, extension), extension }
}

function shorten(name: string, extension: string): string {
  if (Buffer.byteLength(name) <= longestBytes) return name
  const end = extension === '' ? '' : `.${extension}`
  let stem = ''
  let bytes = end.length
  for (const sign of name.slice(0, name.length - end.length)) {
    bytes += Buffer.byteLength(sign)
    if (bytes > longestBytes) break
    stem += sign
  }
  return stem + end
}

function details(cause: string) {
  return { details: { cause } }
}
