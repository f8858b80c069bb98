/** What a listener gets: the payload as it was published, a JSON value. */
export type BusListener = (payload: unknown) => void | Promise<void>

/** Words to the other hosts, heard by those who listen at the moment; never delivered to the host that sends. */
export interface Bus {
  /** Answers whether the word went out; a host that was not listening learns by `onMissed` that there may have been one. */
  publish(channel: string, payload: unknown): Promise<boolean>
  subscribe(channel: string, listener: BusListener): Disposable
  /** Hears that this host listens again after a time in which it heard nothing. */
  onMissed(listener: () => void): Disposable
}
