import { createHash } from 'node:crypto'
import { contentTypeOf } from './content-types.ts'
import { inlineScripts, type InlineScript } from './inline-scripts.ts'
import { fenceOf } from './script-fence.ts'

/** Something that stands in a file as browsers get it, before the byte of that offset. */
export interface Insert {
  readonly at: number
  readonly content: Buffer
}

/** What is known of a file by what stands in it. */
export interface PageContent {
  /** What fences its scripts in. */
  readonly inserts: readonly Insert[]
  /** The inline scripts of a page that may run, as its policy names them, with these inserts and without. */
  readonly hashes: Readonly<Record<'fenced' | 'signed', readonly string[]>>
}

const mostScripts = 20
const noHashes = { fenced: [], signed: [] }
/** https://mimesniff.spec.whatwg.org/#javascript-mime-type, and what stands for it. */
const running =
  /^$|^module$|^(?:text|application)\/(?:x-)?(?:java|ecma)script$|^text\/(?:j|live)script$|^text\/javascript1\.\d$/

export function isPage(contentType: string): boolean {
  return contentType.startsWith('text/html')
}

/** Whether it is a page, or a script: what is anything else no browser runs, whoever asks for it. */
export function mayRun(contentType: string): boolean {
  return isPage(contentType) || contentType.startsWith('text/javascript')
}

/** Reads a file of a plugin's pages: what fences it in stands before each script in it, or before itself where it is one. */
export function lookInto(file: string, content: Buffer): PageContent {
  const type = contentTypeOf(file)
  if (!mayRun(type)) return { inserts: [], hashes: noHashes }
  if (!isPage(type)) return { inserts: [{ at: 0, content: fenceBefore(content) }], hashes: noHashes }
  // A character is a byte, so that places are offsets.
  const scripts = inlineScripts(content.toString('latin1'), mostScripts)
  const inserts = scripts
    .filter(({ type }) => running.test(type))
    .map(({ text, at }) => ({ at, content: fenceBefore(Buffer.from(text, 'latin1')) }))
  const fenced = new Set(scripts.flatMap(fencedHash))
  const signed = new Set(scripts.map(({ text }) => hashOf(Buffer.from(text, 'latin1').toString())))
  return { inserts, hashes: { fenced: [...fenced], signed: [...signed] } }
}

/** A file as browsers get it; inserts are in the order of their places. */
export async function* withInserts(
  content: AsyncIterable<Buffer> | Iterable<Buffer>,
  inserts: readonly Insert[],
): AsyncGenerator<Buffer> {
  const rest = [...inserts]
  let offset = 0
  for await (const chunk of content) {
    let from = 0
    for (let next = rest[0]; next && next.at < offset + chunk.length; next = rest[0]) {
      yield chunk.subarray(from, next.at - offset)
      yield next.content
      from = next.at - offset
      rest.shift()
    }
    yield chunk.subarray(from)
    offset += chunk.length
  }
  for (const { content: last } of rest) yield last
}

function fenceBefore(script: Buffer): Buffer {
  return Buffer.from(fenceOf(script.toString('latin1')))
}

/** Of a script that runs with what stands before it; of others only where they are data whatever is made of them. */
function fencedHash({ type, text }: InlineScript): readonly string[] {
  const own = Buffer.from(text, 'latin1').toString()
  if (running.test(type)) return [hashOf(fenceOf(text) + own)]
  return isJson(own) ? [hashOf(own)] : []
}

function hashOf(script: string): string {
  return `'sha256-${createHash('sha256').update(script).digest('base64')}'`
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
