import { ExpiringMap } from '../../expiring-map.ts'
import type { Resolve, ResolvedAddress } from './resolve.ts'

/** A name that was not found, or whose server is silent, is not asked for again so soon. */
const failedMs = 2_000
const mostFailed = 1_000

/** Whoever asks for a name that is being looked up waits for that one answer; a failure is kept for a moment. */
export function shareLookups(resolve: Resolve): Resolve {
  const running = new Map<string, Promise<readonly ResolvedAddress[]>>()
  const failed = new ExpiringMap<string, Error>(mostFailed)

  async function ask(hostname: string): Promise<readonly ResolvedAddress[]> {
    try {
      return await resolve(hostname)
    } catch (error) {
      const failure = error instanceof Error ? error : new Error(String(error))
      failed.set(hostname, failure, failedMs)
      throw failure
    } finally {
      running.delete(hostname)
    }
  }

  return (hostname) => {
    const name = hostname.toLowerCase()
    const failure = failed.get(name)
    if (failure !== undefined) return Promise.reject(failure)
    const known = running.get(name)
    if (known) return known
    const asked = ask(name)
    running.set(name, asked)
    return asked
  }
}
