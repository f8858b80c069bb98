import { StartError } from './start-error.ts'

const usualMilliseconds = 60_000

/** Ends a start that waits: a step that neither succeeds nor fails in its time fails the whole, and is named. */
export class StartWatch implements Disposable {
  readonly #late = Promise.withResolvers<never>()
  readonly #usual: number
  #timer: NodeJS.Timeout | undefined

  constructor(usual = usualMilliseconds) {
    this.#usual = usual
    this.#late.promise.catch(() => undefined)
  }

  /** The step before it is done. */
  begin(what: string, milliseconds = this.#usual): void {
    clearTimeout(this.#timer)
    const words = `The start gives up: it has waited for ${what} for ${milliseconds / 1000} s`
    this.#timer = setTimeout(() => this.#late.reject(new StartError(words)), milliseconds)
  }

  /** What the steps come to; what comes of them after the start was given up is taken back. */
  async outcome<T extends AsyncDisposable>(steps: Promise<T>): Promise<T> {
    try {
      return await Promise.race([steps, this.#late.promise])
    } catch (error) {
      steps.then(
        (late) => late[Symbol.asyncDispose](),
        () => undefined,
      )
      throw error
    }
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer)
  }
}
