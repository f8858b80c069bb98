import { sha256 } from '../../support/attachments.ts'
import { png } from '../../support/png.ts'

interface RefusedUpload {
  readonly name: string
  readonly content: Buffer
  readonly fields?: Readonly<Record<string, string>>
  /** Status, code and cause. */
  readonly outcome: readonly [status: number, code: number, cause: string | undefined]
}

const picture = png(1, 1)
const text = Buffer.from('x')

/** Files whose name, kind or content is not wanted, and how each is refused. */
export const refusedUploads: readonly RefusedUpload[] = [
  { name: 'run.exe', content: Buffer.from('MZ'), outcome: [400, 4008, 'extension'] },
  { name: 'none', content: text, outcome: [400, 4008, 'extension'] },
  { name: 'a.png', content: Buffer.from('<html>'), outcome: [400, 4008, 'magic_bytes'] },
  { name: 'a.txt', content: picture, outcome: [400, 4008, 'magic_bytes'] },
  { name: 'a.pdf', content: picture, outcome: [400, 4008, 'magic_bytes'] },
  { name: 'a.txt', content: text, fields: { hash: sha256(picture) }, outcome: [400, 4008, 'checksum'] },
  { name: 'a.txt', content: text, fields: { visibility: 'all' }, outcome: [422, 4220, undefined] },
  { name: '..', content: text, outcome: [400, 4008, 'filename'] },
]

/** Names with a path or with marks that mislead, and what is kept of them. */
export const misleadingNames: readonly (readonly [given: string, kept: string])[] = [
  ['../../etc/passwd.txt', 'passwd.txt'],
  ['C:\\x\\..\\a.txt', 'a.txt'],
  ['a\u202egnp.txt', 'agnp.txt'],
  ['\u0007a\u200fb.txt', 'ab.txt'],
  [`${'表'.repeat(200)}.txt`, `${'表'.repeat(83)}.txt`],
]
