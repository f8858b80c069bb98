/** A message of a streamed answer. */
export interface StreamMessage {
  readonly event: string
  readonly id: string | undefined
  readonly data: unknown
  /** Bytes of its data. */
  readonly size: number
}

/** Takes a message to whoever reads; resolves when there is room for the next. */
export type StreamSink = (message: StreamMessage) => Promise<void>
