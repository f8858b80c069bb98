import type { Principal } from '#kernel'
import type { AttachmentFile } from '../../attachments/contract.ts'
import type { AiCallableModel, NeutralPart } from '../../ai/contract.ts'
import type { ContributorTable } from '../contributions/contributor-table.ts'
import { dataBetweenMarks } from '../contributions/sections.ts'
import { refuse } from '../faults.ts'
import type { MessagePart } from '../tables.ts'
import { readWhole, type OwnFiles } from './own-files.ts'

const mostFiles = 20
const mostImageBytes = 5 * 1_048_576
const mostDocumentBytes = 20 * 1_048_576
/** Characters of a message with all its documents. */
const mostCharacters = 200_000
/** So long the files of a message may take to be read. */
const readMs = 60_000
const pictures: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/webp', 'image/gif'])
const plainText: ReadonlySet<string> = new Set(['text/plain', 'text/markdown', 'text/csv', 'application/json'])

/** A message as a user writes it: text, and files of the user's. */
type WishedPart =
  { readonly type: 'text'; readonly text: string } | { readonly type: 'attachment'; readonly attachment_id: string }

/** What becomes of it: what it says in words, what is shown where that is more, what the model reads, and the files that it needs. */
export interface ReadMessage {
  readonly text: string
  readonly parts: readonly MessagePart[]
  readonly said: readonly NeutralPart[]
  readonly files: readonly string[]
}

interface FileParts {
  readonly files: OwnFiles
  readonly contributors: Pick<ContributorTable, 'readDocument'>
}

/** Reads the files of messages: pictures for models that see, and the text of documents. */
export class MessageFiles {
  readonly #parts: FileParts

  constructor(parts: FileParts) {
    this.#parts = parts
  }

  /**
   * Throws 422/4229 that names the part: a file that is not the user's own, of a kind that the model cannot take, or too large; 400/4008 and
   * 413/4130 for a document that cannot be read.
   */
  async read(
    message: string | readonly WishedPart[],
    user: Principal,
    model: AiCallableModel | undefined,
  ): Promise<ReadMessage> {
    const wished = typeof message === 'string' ? [{ type: 'text' as const, text: message }] : message
    const text = wished.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
    let room = mostCharacters - text.length
    if (room < 0) refuse('message', 'message_length', 'is too long')
    const found = await this.#find(wished, user, model)
    const said: NeutralPart[] = []
    const signal = AbortSignal.timeout(readMs)
    for (const [at, part] of wished.entries()) {
      const file = found.get(at)
      if (!file) {
        if (part.type === 'text') say(said, part.text)
        continue
      }
      // Only its name is kept with the message: the bytes are read anew for each run.
      if (pictures.has(file.mimeType)) said.push({ type: 'image', source: { kind: 'file_id', id: file.id } })
      else {
        const words = await this.#words(file, fieldOf(at), signal)
        room -= words.length
        if (room < 0) refuse(fieldOf(at), 'attachment_length', `has more text than fits: ${file.filename}`)
        say(said, dataBetweenMarks(file.filename, words))
      }
    }
    const files = [...found.values()]
    const names = files.map(({ filename }) => filename).join(', ')
    return {
      ...{ text: text.trim() === '' ? names : text, said, files: files.map(({ id }) => id) },
      parts: files.length === 0 ? [] : wished.flatMap((part, at) => shownOf(part, found.get(at))),
    }
  }

  /** Media types of files of the user's. Throws 422/4229 for others. */
  async typesOf(message: string | readonly WishedPart[], user: Principal): Promise<readonly string[]> {
    if (typeof message === 'string') return []
    const found = await this.#own(message, user)
    return [...new Set([...found.values()].map(({ mimeType }) => mimeType))]
  }

  async #own(wished: readonly WishedPart[], user: Principal): Promise<ReadonlyMap<number, AttachmentFile>> {
    const found = new Map<number, AttachmentFile>()
    for (const [at, part] of wished.entries()) {
      if (part.type === 'text') continue
      if (found.size >= mostFiles) refuse('message', 'message_files', `has more than ${String(mostFiles)} files`)
      const file = await this.#parts.files.find(part.attachment_id, user)
      found.set(at, file ?? refuse(fieldOf(at), 'known_attachment', 'is no file of yours that can be read'))
    }
    return found
  }

  /** Before anything is read. */
  async #find(wished: readonly WishedPart[], user: Principal, model: AiCallableModel | undefined) {
    const found = await this.#own(wished, user)
    for (const [at, { mimeType, size, filename }] of found) {
      const isPicture = pictures.has(mimeType)
      if (isPicture && model?.capabilities['vision'] !== true) {
        refuse(fieldOf(at), 'attachment_vision', `is a picture, which this agent cannot see: ${filename}`)
      }
      if (size > (isPicture ? mostImageBytes : mostDocumentBytes)) {
        refuse(fieldOf(at), 'attachment_size', `is too large: ${filename}`)
      }
    }
    return found
  }

  async #words(file: AttachmentFile, field: string, signal: AbortSignal): Promise<string> {
    const { files, contributors } = this.#parts
    if (plainText.has(file.mimeType.split(';')[0] ?? '')) {
      return clean(new TextDecoder().decode(await readWhole(files, file, signal)))
    }
    const text = await contributors.readDocument({ ...file, open: () => files.open(file) }, signal)
    return clean(text ?? refuse(field, 'attachment_type', `is of a kind that cannot be read: ${file.filename}`))
  }
}

/** Texts that stand beside one another are one: some vendors take no more. */
function say(said: NeutralPart[], text: string): void {
  const last = said.at(-1)
  if (last?.type === 'text') said[said.length - 1] = { type: 'text', text: `${last.text}\n${text}` }
  else if (text.trim() !== '') said.push({ type: 'text', text })
}

function fieldOf(at: number): string {
  return `message[${String(at)}].attachment_id`
}

function shownOf(part: WishedPart, file: AttachmentFile | undefined): readonly MessagePart[] {
  if (part.type === 'text') return [{ type: 'text', text: part.text }]
  if (!file) return []
  const { id, filename, mimeType, size } = file
  return [{ type: 'attachment', attachment_id: id, filename, mime_type: mimeType, size }]
}

function clean(text: string): string {
  return text.replaceAll('\0', '\ufffd').toWellFormed()
}
