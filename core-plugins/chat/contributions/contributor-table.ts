import type { Logger } from '#kernel'
import type {
  AnsweredTurn,
  ChatContribution,
  ChatContributor,
  ChatContributors,
  ChatConversation,
  ChatDocument,
  ChatTurn,
} from '../contract.ts'

/** Those who take part in runs. */
export class ContributorTable implements ChatContributors, AsyncDisposable {
  readonly #log: Logger
  readonly #contributors = new Set<ChatContributor>()
  readonly #control = new AbortController()
  readonly #working = new Set<Promise<void>>()

  constructor(log: Logger) {
    this.#log = log
  }

  register(contributor: ChatContributor): Disposable {
    this.#contributors.add(contributor)
    return { [Symbol.dispose]: () => void this.#contributors.delete(contributor) }
  }

  /** What all of them bring to a run, in the order in which they registered. Throws what one of them throws. */
  async prepare(turn: ChatTurn): Promise<readonly ChatContribution[]> {
    const brought = await Promise.all([...this.#contributors].map(async (each) => each.prepare?.(turn)))
    return brought.filter((each) => each !== undefined)
  }

  /** The text of a file, of the first who reads its kind. */
  async readDocument(file: ChatDocument, signal: AbortSignal): Promise<string | undefined> {
    for (const contributor of this.#contributors) {
      const text = await contributor.readDocument?.(file, signal)
      if (text !== undefined) return text
    }
    return undefined
  }

  /** The terms of a text: plain words where nobody knows better. */
  termsOf(text: string): readonly string[] {
    for (const contributor of this.#contributors) {
      if (contributor.termsOf) return contributor.termsOf(text)
    }
    return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  }

  /** Tells them of a run that answered, without waiting for what they do. */
  answered(turn: Omit<AnsweredTurn, 'signal'>): void {
    for (const contributor of this.#contributors) {
      const work = this.#tell(contributor, { ...turn, signal: this.#control.signal }).finally(() =>
        this.#working.delete(work),
      )
      this.#working.add(work)
    }
  }

  /** Tells them of a conversation that is deleted; answers how many memories went with it. */
  async deleted(conversation: ChatConversation, wish: { readonly keepsMemories: boolean }): Promise<number> {
    let count = 0
    for (const contributor of this.#contributors) count += (await contributor.deleted?.(conversation, wish)) ?? 0
    return count
  }

  /** Ends what they do after runs, and waits for it. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#control.abort()
    await Promise.all(this.#working)
  }

  async #tell(contributor: ChatContributor, turn: AnsweredTurn): Promise<void> {
    try {
      await contributor.answered?.(turn)
    } catch (error) {
      if (this.#control.signal.aborted) return
      this.#log.warn({ err: error, run_id: turn.runId, contributor: contributor.name }, 'work after a run failed')
    }
  }
}
