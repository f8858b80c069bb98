/** What the supervisor says first. */
export interface Hello {
  /** The glue that runs in every context, as one module. */
  readonly glue: string
  /** Resident bytes that this process may add to what it has at the start. */
  readonly memoryBytes: number
  /** An isolate needs room under the cap on memory before it is made. */
  readonly hasJit: boolean
}
