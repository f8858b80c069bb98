import { EgressError, type FieldError, type GuardedFetch } from '#kernel'

/** Where a server may be: what the platform's policy for outgoing requests says. */
export class WhereTo {
  readonly #client: Pick<GuardedFetch, 'check'>
  readonly #exceptions: ReadonlySet<string>

  /** `exceptions`: `host:port` that the operator lets be private, which may also be spoken to in the clear. */
  constructor(client: Pick<GuardedFetch, 'check'>, exceptions: ReadonlySet<string>) {
    this.#client = client
    this.#exceptions = exceptions
  }

  /** What is wrong with an address. A name that cannot be looked up now is no fault: every connection is checked again. */
  async faults(field: string, text: string): Promise<readonly FieldError[]> {
    const fault = (rule: string, message: string): readonly FieldError[] => [{ field, rule, message }]
    const url = URL.parse(text)
    if (!url || url.search !== '' || url.hash !== '' || url.username + url.password !== '')
      return fault('format', 'is no http or https address without a query')
    try {
      await this.#client.check(url)
    } catch (error) {
      if (!(error instanceof EgressError)) throw error
      if (error.reason === 'url_invalid') return fault('format', 'is no http or https address')
      if (error.reason === 'address_forbidden')
        return fault('address_forbidden', 'is not on the public internet, and the operator did not allow it')
    }
    const isClear = url.protocol === 'http:' && !this.#exceptions.has(`${url.hostname}:${url.port || '80'}`)
    return isClear ? fault('https', 'is https: secrets are not sent in the clear') : []
  }
}
