import type { Attachment } from '../models.ts'

/** What a browser shows without running anything of it. */
const shown = /^(image\/(?!svg\+xml$)[\w.+-]+|application\/pdf|text\/plain|audio\/[\w.+-]+|video\/[\w.+-]+)$/

/** How a file is to be taken: shown only where that is asked for and harmless. */
export function dispositionOf({ filename, mimeType }: Attachment, wantsInline: boolean): string {
  const kind = wantsInline && shown.test(mimeType) ? 'inline' : 'attachment'
  const plain = filename.replace(/[^\w. -]/g, '_')
  const encoded = encodeURIComponent(filename).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `${kind}; filename="${plain}"; filename*=UTF-8''${encoded}`
}

/** A media type as a header has it. */
export function contentTypeOf({ mimeType }: Attachment): string {
  return mimeType.startsWith('text/') ? `${mimeType}; charset=utf-8` : mimeType
}

/** What goes with the bytes of a file: it comes from somebody, and no browser may run it as a page of ours. */
export function contentHeaders(attachment: Attachment, wantsInline: boolean): Record<string, string> {
  return {
    'accept-ranges': 'bytes',
    'content-disposition': dispositionOf(attachment, wantsInline),
    'content-security-policy': "default-src 'none'; sandbox",
    etag: entityTag(attachment),
    'last-modified': attachment.createdAt.toUTCString(),
    'x-content-type-options': 'nosniff',
  }
}

/** The bytes of an attachment never change, so their hash is their version. */
export function entityTag({ hash }: Attachment): string {
  return `"${hash.slice(0, 16)}"`
}
