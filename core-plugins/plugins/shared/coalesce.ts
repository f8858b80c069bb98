/** Work that is asked for often: never twice at once, and once more after the last time that it was asked for. */
export function coalesce(work: () => Promise<void>, onError: (error: unknown) => void): () => void {
  let isRunning = false
  let isAsked = false
  const run = async (): Promise<void> => {
    isRunning = true
    try {
      while (isAsked) {
        isAsked = false
        await work()
      }
    } finally {
      isRunning = false
    }
  }
  return () => {
    isAsked = true
    if (!isRunning) run().catch(onError)
  }
}
