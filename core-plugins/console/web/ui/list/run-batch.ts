/** Something that could not be done to one of many, and why. */
export interface Failure<T> {
  readonly row: T
  readonly error: unknown
}

/** How the requests of a batch are sent. */
interface BatchOptions {
  readonly told?: (progress: { readonly done: number; readonly all: number }) => void
  /** What has not begun by then is not begun; it counts neither as done nor as failed. */
  readonly signal?: AbortSignal
  /** How many are done at once. */
  readonly lanes?: number
}

/** Does something to many, a few at a time; answers what could not be done. */
export async function runBatch<T>(
  rows: readonly T[],
  work: (row: T) => Promise<unknown>,
  { told, signal, lanes = 4 }: BatchOptions = {},
): Promise<readonly Failure<T>[]> {
  const failed: Failure<T>[] = []
  const left = [...rows]
  let done = 0
  told?.({ done, all: rows.length })
  const lane = async () => {
    for (let row = left.shift(); row !== undefined && !signal?.aborted; row = left.shift()) {
      const one = row
      await work(one).catch((error: unknown) => failed.push({ row: one, error }))
      told?.({ done: (done += 1), all: rows.length })
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  return failed
}
