import { createHash } from 'node:crypto'

/** The version of a text: equal for equal texts. */
export function versionOfText(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22)
}
