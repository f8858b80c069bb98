/** What requests ask about the server they came to. */
export class ServerState {
  readonly #stop = new AbortController()
  /** Whether it accepts nobody any more: each connection closes with its next answer. */
  isDraining = false

  /** Aborted when answers without an end shall end. */
  get stopping(): AbortSignal {
    return this.#stop.signal
  }

  /** Asks answers without an end to end. */
  stop(): void {
    this.#stop.abort()
  }
}
