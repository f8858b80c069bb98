import type { Outlet } from '../wire/channel.ts'

interface Request {
  readonly resolve: (text: string) => void
  readonly reject: (cause: Error) => void
}

/** Files that were asked for and have not come yet. */
export class SourceRequests {
  readonly #channel: Outlet
  readonly #waiting = new Map<number, Request>()
  #last = 0

  constructor(channel: Outlet) {
    this.#channel = channel
  }

  /** The text of a file of a release; rejects with the supervisor's reason when it may not be had. */
  ask(codeId: string, file: string): Promise<string> {
    const number = ++this.#last
    this.#channel.send('source', number, codeId, file)
    return new Promise((resolve, reject) => this.#waiting.set(number, { resolve, reject }))
  }

  /** Takes the supervisor's answer. */
  receive(number: number, isOk: boolean, text: string): void {
    const request = this.#waiting.get(number)
    this.#waiting.delete(number)
    if (isOk) request?.resolve(text)
    else request?.reject(new Error(text))
  }
}
