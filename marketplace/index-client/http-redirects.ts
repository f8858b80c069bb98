import { unavailable } from './unavailable.ts'

/** Where an index may send us. */
export interface RedirectPolicy {
  readonly source: string
  readonly base: URL
  /** `host` or `host:port`, beside the index's own. */
  readonly downloadHosts: readonly string[]
  /** Sent to the index's own host alone. */
  readonly headers: Readonly<Record<string, string>>
}

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])
const maxHops = 3

/** Throws IndexUnavailableError unless a source may lead to this address. */
function checkAddress(url: URL, { source, base, downloadHosts }: RedirectPolicy): void {
  const isSecure = url.protocol === 'https:' || (url.protocol === 'http:' && base.protocol === 'http:')
  if (!isSecure || url.username !== '' || url.password !== '')
    throw unavailable(source, 'redirect_insecure', 'it leads to an address that is not https')
  if (url.host !== base.host && !downloadHosts.some((each) => each.toLowerCase() === url.host))
    throw unavailable(source, 'redirect_host', `it leads to ${url.host}, which is not one of its download hosts`)
}

/** Asks, and follows up to three redirects, each checked before it is followed. */
export async function followRedirects<
  T extends { readonly status: number; readonly headers: Readonly<Record<string, string>> },
>(
  from: URL,
  policy: RedirectPolicy,
  ask: (url: URL, headers: Readonly<Record<string, string>>) => Promise<T>,
  letGo: (answer: T) => void = () => undefined,
): Promise<T> {
  let url = from
  for (let hops = 0; ; hops++) {
    checkAddress(url, policy)
    const answer = await ask(url, url.host === policy.base.host ? policy.headers : {})
    const location = answer.headers['location']
    if (!redirects.has(answer.status) || location === undefined) return answer
    letGo(answer)
    const next = URL.parse(location, url.href)
    if (!next) throw unavailable(policy.source, 'redirect_invalid', 'it leads nowhere')
    if (hops === maxHops) throw unavailable(policy.source, 'redirect_loop', 'it leads on and on')
    url = next
  }
}
