import { ValidationFailedError, type RouteContext } from '#kernel'
import { iconSize } from '#marketplace'
import { sandboxLimits } from '#sandbox'
import { IconNotImageError, IconTooLargeError } from './errors.ts'
import { hashOf } from '../releases/packaged-file.ts'
import type { Icon } from './icon-store.ts'

const webpMark = 'RIFF'

/** Reads the one file of a multipart body as an icon, by the rules for icons in packages; more than 1 MB is 413/4130. */
export async function receiveIcon(ctx: Pick<RouteContext, 'files'>): Promise<Icon> {
  const pieces: Buffer[] = []
  let files = 0
  for await (const file of ctx.files({ maxFileBytes: sandboxLimits.iconBytes.max, maxFiles: 1 })) {
    if (file.field !== 'file') throw missingFile(`The file is sent as 'file', not as '${file.field}'`)
    for await (const bytes of file.content) pieces.push(bytes as Buffer)
    files += 1
  }
  if (files === 0) throw missingFile('The picture is missing')
  return checkIcon(Buffer.concat(pieces))
}

function checkIcon(bytes: Buffer): Icon {
  const size = iconSize(bytes)
  if (!size) throw new IconNotImageError()
  const most = sandboxLimits.iconPixels.max
  if (Math.min(size.width, size.height) < 1 || Math.max(size.width, size.height) > most) {
    throw new IconTooLargeError({ most })
  }
  const isWebp = bytes.toString('latin1', 0, webpMark.length) === webpMark
  return { bytes, sha256: hashOf(bytes), contentType: isWebp ? 'image/webp' : 'image/png' }
}

function missingFile(message: string): Error {
  return new ValidationFailedError({ errors: [{ field: 'file', rule: 'required', message }] })
}
