import { EgressError, type FieldError, type GuardedFetch } from '#kernel'

/** Where hooks may be: on the public internet and by https, but for what the operator lets be otherwise. */
export class Targets {
  readonly #client: Pick<GuardedFetch, 'check'>
  readonly #exceptions: ReadonlySet<string>

  /** `exceptions`: `host:port` that the operator lets be private, which may also be spoken to in the clear. */
  constructor(client: Pick<GuardedFetch, 'check'>, exceptions: ReadonlySet<string>) {
    this.#client = client
    this.#exceptions = exceptions
  }

  /** What is wrong with an address. A name that cannot be looked up now is no fault: every connection is checked again. */
  async fault(text: string): Promise<FieldError | undefined> {
    const url = URL.parse(text)
    if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '' || url.hash !== '')
      return fault('format', 'is no https address without a user and a fragment')
    try {
      await this.#client.check(url)
    } catch (error) {
      if (!(error instanceof EgressError)) throw error
      if (error.reason === 'url_invalid') return fault('format', 'is no https address')
      if (error.reason === 'address_forbidden')
        return fault('address_forbidden', 'is not on the public internet, and the operator did not allow it')
    }
    const isClear = url.protocol === 'http:' && !this.#exceptions.has(`${url.hostname}:${url.port || '80'}`)
    return isClear ? fault('https', 'is no https address') : undefined
  }
}

/** The part of an address that its secret is bound to. */
export function hostOf(url: string): string {
  return new URL(url).host
}

/** Where a hook is, without what may be secret. */
export function hintOf(url: string): string {
  const { origin, pathname, search } = new URL(url)
  return pathname === '/' && search === '' ? `${origin}/` : `${origin}/…`
}

function fault(rule: string, message: string): FieldError {
  return { field: 'url', rule, message, params: {} }
}
