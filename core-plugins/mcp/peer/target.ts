/** A server that is spoken to, with what opens it. */
export interface PeerTarget {
  readonly url: URL
  /** Beside those of the protocol; in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** For everything that one request takes, in milliseconds. */
  readonly timeoutMs: number
  /** The revision that the server was last spoken to in. */
  readonly revision: string | null
  /** The value of `Authorization`; a token that was refused is asked for anew. */
  authorization(signal: AbortSignal, isRefused: boolean): Promise<string | undefined>
}
