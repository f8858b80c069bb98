/** A kind of file: what it is called on the wire, and whether its first bytes tell. */
interface FileKind {
  readonly mimeType: string
  /** Whether bytes can be of this kind; kinds without a mark of their own leave it out. */
  readonly fits?: (head: Buffer) => boolean
}

const starts =
  (...marks: readonly (string | readonly number[])[]) =>
  (head: Buffer): boolean =>
    marks.some((mark) => {
      const bytes = typeof mark === 'string' ? Buffer.from(mark, 'latin1') : Buffer.from(mark)
      return head.subarray(0, bytes.length).equals(bytes)
    })
const riff =
  (kind: string) =>
  (head: Buffer): boolean =>
    head.toString('latin1', 0, 4) === 'RIFF' && head.toString('latin1', 8, 12) === kind
const zipped = starts('PK\u0003\u0004', 'PK\u0005\u0006', 'PK\u0007\u0008')
const compound = starts([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1])
const isobmff = (head: Buffer): boolean => head.toString('latin1', 4, 8) === 'ftyp'
const mp3 = (head: Buffer): boolean =>
  head.toString('latin1', 0, 3) === 'ID3' || (head[0] === 0xff && ((head[1] ?? 0) & 0xe0) === 0xe0)
const text = (head: Buffer): boolean => isText(head)
const office = 'application/vnd.openxmlformats-officedocument'

const kinds: Readonly<Record<string, FileKind>> = {
  jpg: { mimeType: 'image/jpeg', fits: starts([0xff, 0xd8, 0xff]) },
  jpeg: { mimeType: 'image/jpeg', fits: starts([0xff, 0xd8, 0xff]) },
  png: { mimeType: 'image/png', fits: starts([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) },
  gif: { mimeType: 'image/gif', fits: starts('GIF87a', 'GIF89a') },
  webp: { mimeType: 'image/webp', fits: riff('WEBP') },
  bmp: { mimeType: 'image/bmp', fits: starts('BM') },
  ico: { mimeType: 'image/x-icon', fits: starts([0, 0, 1, 0]) },
  tif: { mimeType: 'image/tiff', fits: starts('II*\0', 'MM\0*') },
  tiff: { mimeType: 'image/tiff', fits: starts('II*\0', 'MM\0*') },
  avif: { mimeType: 'image/avif', fits: isobmff },
  svg: { mimeType: 'image/svg+xml', fits: (head) => isText(head) && /<svg[\s>]/i.test(head.toString('utf8')) },
  pdf: { mimeType: 'application/pdf', fits: (head) => head.subarray(0, 1024).includes('%PDF-') },
  txt: { mimeType: 'text/plain', fits: text },
  md: { mimeType: 'text/markdown', fits: text },
  csv: { mimeType: 'text/csv', fits: text },
  json: { mimeType: 'application/json', fits: text },
  html: { mimeType: 'text/html', fits: text },
  htm: { mimeType: 'text/html', fits: text },
  xml: { mimeType: 'application/xml', fits: text },
  doc: { mimeType: 'application/msword', fits: compound },
  xls: { mimeType: 'application/vnd.ms-excel', fits: compound },
  ppt: { mimeType: 'application/vnd.ms-powerpoint', fits: compound },
  docx: { mimeType: `${office}.wordprocessingml.document`, fits: zipped },
  xlsx: { mimeType: `${office}.spreadsheetml.sheet`, fits: zipped },
  pptx: { mimeType: `${office}.presentationml.presentation`, fits: zipped },
  zip: { mimeType: 'application/zip', fits: zipped },
  gz: { mimeType: 'application/gzip', fits: starts([0x1f, 0x8b]) },
  mp3: { mimeType: 'audio/mpeg', fits: mp3 },
  wav: { mimeType: 'audio/wav', fits: riff('WAVE') },
  ogg: { mimeType: 'audio/ogg', fits: starts('OggS') },
  flac: { mimeType: 'audio/flac', fits: starts('fLaC') },
  m4a: { mimeType: 'audio/mp4', fits: isobmff },
  mp4: { mimeType: 'video/mp4', fits: isobmff },
  mov: { mimeType: 'video/quicktime', fits: isobmff },
  webm: { mimeType: 'video/webm', fits: starts([0x1a, 0x45, 0xdf, 0xa3]) },
}
/** What a machine runs, under whatever name it comes. */
const programs = starts('MZ', '\u007fELF', [0xcf, 0xfa, 0xed, 0xfe], [0xca, 0xfe, 0xba, 0xbe])

/** The media type of files with an extension: never what a sender says. */
export function mimeTypeOf(extension: string): string {
  return kinds[extension]?.mimeType ?? 'application/octet-stream'
}

/** Whether the first bytes of a file are what its extension says; of extensions without a mark it is enough that it is no program. */
export function isOfKind(extension: string, head: Buffer): boolean {
  const fits = kinds[extension]?.fits
  if (head.length === 0) return fits === undefined || fits === text
  return fits === undefined ? !programs(head) : fits(head)
}

/** Text has no NUL and none of the control characters that only binary files have. */
function isText(head: Buffer): boolean {
  const isWide = starts([0xff, 0xfe], [0xfe, 0xff])(head)
  // eslint-disable-next-line no-control-regex -- these are what is looked for
  return isWide || !/[\0-\u0008\u000e-\u001a]/.test(head.subarray(0, 8192).toString('latin1'))
}
