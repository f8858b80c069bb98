const tries = 3
const betweenMilliseconds = 1_000
/** What browsers say of a file of a page that is not there, and Vite of styles. */
const missing = /dynamically imported module|importing a module script failed|preload CSS/i
const styles = /preload CSS for (\S+)/
/** What was asked for long enough already. */
const given = new WeakSet<Error>()

/** Whether a file of the console could not be loaded: it is gone, or the network is away. */
export function isMissingFile(error: unknown): error is Error {
  return error instanceof Error && missing.test(error.message)
}

/** Asks again for files that are not there: several hosts may be half-way through an upgrade, or the network away for a moment. */
export function patiently<T>(load: () => Promise<T>): () => Promise<T> {
  return async () => {
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await load()
      } catch (error) {
        if (!isMissingFile(error) || given.has(error)) throw error
        if (attempt === tries) {
          given.add(error)
          throw error
        }
        await new Promise((resolve) => setTimeout(resolve, betweenMilliseconds))
        await loadStyle(error)
      }
    }
  }
}

/** Vite asks for styles once, whatever becomes of them: those that did not come are asked for here. */
async function loadStyle({ message }: Error): Promise<void> {
  const [, href] = styles.exec(message) ?? []
  if (href === undefined) return
  await new Promise<void>((resolve) => {
    const link = document.createElement('link')
    link.rel = 'stylesheet'
    link.href = href
    link.onload = () => resolve()
    link.onerror = () => resolve()
    document.head.append(link)
  })
}
