/** An event as it was written. */
export interface LoggedEvent {
  /** A UUIDv7; ids grow in the order in which events are written, on whichever host. */
  readonly id: string
  readonly key: string
  /** A JSON value. */
  readonly payload: unknown
}

/** Who hears a log. */
export interface LogListener {
  /** Hears each event, on every host and in the order of their ids. */
  heard(event: LoggedEvent): void
  /** Hears now and then that there was nothing else up to an id, where no event says so. */
  reached(id: string): void
  /** From now on something may not be heard. */
  lost(): void
  /** Everything is heard again, or something could not be written: what is kept tells what was missed. */
  missed(): void
}

/**
 * The latest events under keys, kept for those who were away for a moment: 200 of a key, 10 minutes. Of all hosts together
 * where they share Redis; it may be lost, and whoever reads learns that.
 */
export interface EventLog {
  /** Writes an event and tells every host, this one too; answers its id, or undefined where it could not be written. */
  append(key: string, payload: unknown): Promise<string | undefined>
  /** An id after all that is written and before all that will be; undefined while that cannot be told. */
  head(): Promise<string | undefined>
  /** Tells every host how far the log is, in the order of its events; nothing is written. */
  mark(): Promise<void>
  /** What was written under these keys after an id, oldest first; undefined where some of it is kept no more. Rejects while that cannot be read. */
  readAfter(keys: readonly string[], id: string): Promise<readonly LoggedEvent[] | undefined>
  subscribe(listener: LogListener): Disposable
}

/** How many events of a key are kept. */
export const keptEvents = 200
/** For how long, in milliseconds. */
export const keptMilliseconds = 10 * 60_000
