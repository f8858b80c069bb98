import { watch } from 'vue'
import { Problem } from '../session/problem.ts'
import { session } from '../session/session.ts'

/** A request that was to do something, as it is told apart from others: by what it asks for. */
interface Intent {
  readonly key: string
  /** It came to nothing: what is known of it decides whether the same again is the same intent. */
  failed(error: unknown): void
}

interface Open {
  readonly key: string
  readonly since: number
  /** The server said that it failed: only "try again" means the same then. */
  readonly isRefused: boolean
}

/** Whoever comes back later means something new. */
const patienceMilliseconds = 600_000
const open = new Map<string, Open>()
let repeats = 0

// Here and in another tab: what was asked for is nothing for whoever signs in next.
watch(session.isSignedIn, (isSignedIn) => isSignedIn || open.clear(), { flush: 'sync' })

/** Does work again as the same intent: what it asks for once more has the key that it had. */
export async function asSameIntent<T>(work: () => Promise<T>): Promise<T> {
  repeats += 1
  try {
    return await work()
  } finally {
    repeats -= 1
  }
}

/** The intent of a request; with the key of the one before it that asked for the same and was not answered. */
export function intentOf(address: string, body: string | undefined): Intent {
  const content = `${address} ${body}`
  const before = open.get(content)
  open.delete(content)
  const key = before && isSame(before, body) ? before.key : crypto.randomUUID()
  return {
    key,
    failed(error) {
      if (!(error instanceof Problem)) return
      const isLost = error.status === 0 || error.reason === 'request_in_progress'
      if (isLost || error.status >= 500) keep(content, { key, since: Date.now(), isRefused: !isLost })
    },
  }
}

/** Whether what is asked for is what was: of a step such as "disable", whose body says nothing, only "try again" tells. */
function isSame({ since, isRefused }: Open, body: string | undefined): boolean {
  if (Date.now() - since >= patienceMilliseconds) return false
  return repeats > 0 || (!isRefused && body !== undefined && body !== '{}')
}

/** Keeps an intent for as long as somebody may come back to it: what it asks for may be a secret. */
function keep(content: string, intent: Open): void {
  open.set(content, intent)
  setTimeout(() => open.get(content) === intent && open.delete(content), patienceMilliseconds)
}
