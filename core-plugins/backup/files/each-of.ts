/** Does something with each item, a few at a time; the first failure stops the rest. */
export async function eachOf<T>(items: Iterable<T>, parallel: number, work: (item: T) => Promise<void>): Promise<void> {
  const iterator = items[Symbol.iterator]()
  let isStopped = false
  const run = async (): Promise<void> => {
    for (let next = iterator.next(); !next.done && !isStopped; next = iterator.next()) {
      await work(next.value).catch((error: unknown) => {
        isStopped = true
        throw error
      })
    }
  }
  const ended = await Promise.allSettled(Array.from({ length: parallel }, run))
  const failed = ended.find((outcome) => outcome.status === 'rejected')
  if (failed) throw failed.reason
}
