/** What a listener gets: the payload as it was published, a JSON value. */
export type BusListener = (payload: unknown) => void | Promise<void>

/** Words to the other hosts, heard by those who listen at the moment; never delivered to the host that sends. */
export interface Bus {
  publish(channel: string, payload: unknown): Promise<void>
  subscribe(channel: string, listener: BusListener): Disposable
}
