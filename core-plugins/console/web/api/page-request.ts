import { isAccessEnded, isAccessOld } from '../session/refusals.ts'
import { session } from '../session/session.ts'
import { currentLocale } from '../tab/i18n.ts'
import { problemOf } from './client.ts'

/** The verbs of routes. */
export type PageMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

interface PageRequestOptions {
  /** JSON. */
  readonly body: string | undefined
  readonly accept: string
  /** Which entry of its plugin asks. */
  readonly slot: string
  /** How long the route may take; the time in which somebody signs in again does not count. */
  readonly milliseconds: number
}

/**
 * The answer of a plugin's route to one of its pages, whatever it is: with the rights of whoever looks at the page, and with nothing
 * else of theirs. That a session must be renewed, or begun again, is the console's business. Throws a TimeoutError, as reading the
 * answer does, when the route takes too long.
 */
export async function sendForPage(
  method: PageMethod,
  address: URL,
  { body, accept, slot, milliseconds }: PageRequestOptions,
): Promise<Response> {
  for (let attempt = 0; ; attempt += 1) {
    const token = await session.accessToken()
    const headers: Record<string, string> = {
      accept,
      'accept-language': currentLocale(),
      'x-stoa-slot': slot,
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    }
    const signal = AbortSignal.timeout(milliseconds)
    const nothingElse = { redirect: 'manual', credentials: 'omit', cache: 'no-store' } as const
    const response = await fetch(address, { method, headers, body: body ?? null, signal, ...nothingElse })
    if (response.status !== 401 || token === undefined || attempt > 1) return response
    const problem = await problemOf(response.clone())
    if (isAccessOld(problem)) await session.renew(token)
    else if (isAccessEnded(problem)) await session.waitForSignIn(token, problem)
    else return response
  }
}
