import { PayloadTooLargeError, ParamsInvalidError, type RouteContext } from '#kernel'
import type { FormFiles } from './receive-form.ts'

const extensions: Readonly<Record<string, string>> = {
  'text/csv': 'csv',
  'text/plain': 'txt',
  'text/markdown': 'md',
  'application/json': 'json',
  'application/pdf': 'pdf',
  'application/zip': 'zip',
  'application/xml': 'xml',
  'text/xml': 'xml',
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
  'image/gif': 'gif',
}
const mostName = 255

/** A body that is one file, as a form with one: its name is `?filename=`, else `upload` with what its type ends in. */
export function oneFile(
  ctx: Pick<RouteContext, 'request' | 'header' | 'query'>,
  { maxFileBytes }: { readonly maxFileBytes: number },
): FormFiles {
  const { filename = `upload.${extensionOf(ctx.header('content-type'))}` } = ctx.query
  if (typeof filename !== 'string' || filename === '' || filename.length > mostName)
    throw new ParamsInvalidError({
      errors: [{ field: 'filename', rule: 'length', message: `has 1 to ${mostName} characters` }],
    })
  if (Number(ctx.header('content-length') ?? 0) > maxFileBytes) throw new PayloadTooLargeError({ limit: maxFileBytes })
  async function* bounded(): AsyncGenerator<Buffer> {
    let left = maxFileBytes
    for await (const piece of ctx.request as AsyncIterable<Buffer>) {
      left -= piece.length
      if (left < 0) throw new PayloadTooLargeError({ limit: maxFileBytes })
      yield piece
    }
  }
  async function* files(): AsyncGenerator<{ field: string; filename: string; content: AsyncIterable<Buffer> }> {
    yield await Promise.resolve({ field: 'file', filename: filename as string, content: bounded() })
  }
  return Object.assign(files(), { fields: {} })
}

function extensionOf(contentType = ''): string {
  const [type = ''] = contentType.toLowerCase().split(';')
  return extensions[type.trim()] ?? 'bin'
}
