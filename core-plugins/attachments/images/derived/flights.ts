/** Work in progress, and how many wait for it. */
interface Flight<T> {
  readonly result: Promise<T>
  readonly nobodyWaits: AbortController
  waiting: number
}

/** One piece of work for a name at a time in this process, shared by all who ask for it meanwhile. */
export class Flights<T> {
  readonly #flights = new Map<string, Flight<T>>()

  /**
   * Joins the work for a name, or begins it; rejects with the signal's reason when the caller goes away. The work's own signal aborts
   * when nobody waits for it any more.
   */
  async join(name: string, work: (signal: AbortSignal) => Promise<T>, caller: AbortSignal): Promise<T> {
    for (;;) {
      caller.throwIfAborted()
      const flight = this.#flights.get(name) ?? this.#begin(name, work)
      try {
        return await this.#wait(flight, caller)
      } catch (error) {
        // It was given up in the moment in which we came.
        if (error !== flight.nobodyWaits.signal.reason) throw error
        this.#remove(name, flight)
      }
    }
  }

  async #wait(flight: Flight<T>, caller: AbortSignal): Promise<T> {
    const gone = Promise.withResolvers<never>()
    const leave = (): void => gone.reject(caller.reason as Error)
    caller.addEventListener('abort', leave, { once: true })
    flight.waiting += 1
    try {
      return await Promise.race([flight.result, gone.promise])
    } finally {
      caller.removeEventListener('abort', leave)
      flight.waiting -= 1
      if (flight.waiting === 0) flight.nobodyWaits.abort(new Error('nobody waits for it any more'))
    }
  }

  #begin(name: string, work: (signal: AbortSignal) => Promise<T>): Flight<T> {
    const nobodyWaits = new AbortController()
    const flight: Flight<T> = { result: work(nobodyWaits.signal), nobodyWaits, waiting: 0 }
    this.#flights.set(name, flight)
    const land = (): void => this.#remove(name, flight)
    flight.result.then(land, land)
    return flight
  }

  #remove(name: string, flight: Flight<T>): void {
    if (this.#flights.get(name) === flight) this.#flights.delete(name)
  }
}
