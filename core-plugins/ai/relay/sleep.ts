/** Waits, or rejects as soon as nobody waits for what comes after. */
export function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const gone = (): void => {
      clearTimeout(timer)
      reject(signal.reason as Error)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', gone)
      resolve()
    }, milliseconds)
    if (signal.aborted) gone()
    else signal.addEventListener('abort', gone, { once: true })
  })
}
