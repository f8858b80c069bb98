import { createRequire } from 'node:module'
import { marked } from 'marked'
import { htmlBlocks } from './html-blocks.ts'
import { pdfBlocks } from './pdf-blocks.ts'
import { ReadingFaultError } from './reading-fault.ts'
import type { Block, ReadingTask } from './wire.ts'

/** What is used of the parser, which only this process loads. */
interface DocxParser {
  readonly images: { imgElement(image: () => Promise<{ readonly src: string }>): unknown }
  convertToHtml(input: { readonly buffer: Buffer }, options: object): Promise<{ readonly value: string }>
}

/** What a document says. */
interface Read {
  readonly title: string | null
  readonly blocks: readonly Block[]
}

const load = createRequire(import.meta.url)

/** Reads a document; throws ReadingFaultError for bytes that are none of its kind, want a password, or are too many. */
export async function readBlocks(bytes: Buffer, task: ReadingTask): Promise<Read> {
  try {
    const { title, blocks } = await read(bytes, task)
    const kept = blocks.map(({ headings, page, text }) => ({
      headings: headings.map(storable),
      page,
      text: storable(text),
    }))
    return { title: title === null ? null : storable(title), blocks: kept.filter(({ text }) => text !== '') }
  } catch (error) {
    throw error instanceof ReadingFaultError ? error : faultOf(error)
  }
}

/** Without what a database keeps in no text, as files of broken fonts have it: NUL, and halves of characters. */
function storable(text: string): string {
  return text.replaceAll('\0', '').toWellFormed().trim()
}

async function read(bytes: Buffer, task: ReadingTask): Promise<Read> {
  switch (task.kind) {
    case 'text':
      return { title: null, blocks: textBlocks(decode(bytes, task)) }
    case 'markdown':
      return htmlBlocks(await marked.parse(decode(bytes, task)))
    case 'html':
      return htmlBlocks(decode(bytes, task))
    case 'pdf':
      return { title: null, blocks: await pdfBlocks(bytes, task) }
    case 'docx':
      return htmlBlocks(withinLimit(await docxHtml(bytes), task))
  }
}

async function docxHtml(buffer: Buffer): Promise<string> {
  const mammoth = load('mammoth') as DocxParser
  const convertImage = mammoth.images.imgElement(() => Promise.resolve({ src: '' }))
  const { value } = await mammoth.convertToHtml({ buffer }, { convertImage, externalFileAccess: false })
  return value
}

function textBlocks(text: string): Block[] {
  return text
    .split(/\n[ \t\r]*\n/)
    .map((part) => part.replace(/\r/g, '').trim())
    .filter((part) => part !== '')
    .map((part) => ({ headings: [], page: null, text: part }))
}

/** As its byte order mark says, UTF-8 where that fits, and GB 18030, Shift_JIS or Latin by which fits otherwise. */
function decode(bytes: Buffer, task: ReadingTask): string {
  const marked = bytes.length > 1 ? bytes.readUInt16BE(0) : 0
  if (marked === 0xfffe || marked === 0xfeff) {
    return withinLimit(new TextDecoder(marked === 0xfffe ? 'utf-16le' : 'utf-16be').decode(bytes), task)
  }
  if (bytes.subarray(0, 8192).includes(0)) throw new ReadingFaultError('unreadable', 'it is no text')
  for (const encoding of ['utf-8', 'gb18030', 'shift_jis']) {
    try {
      return withinLimit(new TextDecoder(encoding, { fatal: true }).decode(bytes), task)
    } catch (error) {
      if (error instanceof ReadingFaultError) throw error
    }
  }
  return withinLimit(new TextDecoder('windows-1252').decode(bytes), task)
}

function withinLimit(text: string, { mostCharacters }: ReadingTask): string {
  if (text.length <= mostCharacters) return text
  throw new ReadingFaultError('too_large', `more than ${String(mostCharacters)} characters`)
}

function faultOf(error: unknown): ReadingFaultError {
  const { name, message } = error as Error
  return new ReadingFaultError(name === 'PasswordException' ? 'locked' : 'unreadable', String(message).slice(0, 300))
}
