import type { ChatDocument } from '../../chat/contract.ts'
import { documentKind } from '../indexing/document-kind.ts'
import { readDocument } from '../reading/read-document.ts'

/** A file of a message is no book. */
const mostCharacters = 400_000
const mostPages = 200
/** Each is read by a process of its own. */
const mostAtOnce = 2

/** Reads the text of files that people send to agents, a few at a time. */
export class DocumentTexts {
  #reading = 0
  readonly #waiting = new Set<() => void>()

  /** Undefined for a kind that is not read. Throws 400/4008, 413/4130, and the signal's reason. */
  async read(file: ChatDocument, signal: AbortSignal): Promise<string | undefined> {
    const { mimeType, filename } = file
    const kind = documentKind(mimeType, filename)
    if (!kind) return undefined
    await this.#turn(signal)
    try {
      const blocks: string[] = []
      const task = { kind, title: filename, mostCharacters, mostPages, whole: true }
      await readDocument(await file.open(), task, signal, ({ text }) => void blocks.push(text))
      return blocks.join('\n\n')
    } finally {
      this.#reading -= 1
      const [next] = this.#waiting
      next?.()
    }
  }

  async #turn(signal: AbortSignal): Promise<void> {
    while (this.#reading >= mostAtOnce) {
      const { promise, resolve } = Promise.withResolvers<void>()
      this.#waiting.add(resolve)
      signal.addEventListener('abort', () => resolve(), { once: true })
      await promise
      this.#waiting.delete(resolve)
      signal.throwIfAborted()
    }
    this.#reading += 1
  }
}
