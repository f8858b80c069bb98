import { EgressError, type FieldError, type GuardedFetch } from '#kernel'
import { faultOf } from '../faults.ts'

const field = 'base_url'

/** Where a provider may be: what the platform's policy for outgoing requests says. */
export class WhereTo {
  readonly #client: Pick<GuardedFetch, 'check'>
  readonly #exceptions: ReadonlySet<string>

  /** `exceptions`: `host:port` that the operator lets be private, which may also be spoken to in the clear. */
  constructor(client: Pick<GuardedFetch, 'check'>, exceptions: ReadonlySet<string>) {
    this.#client = client
    this.#exceptions = exceptions
  }

  /** Looks the name of an address up; throws where it has none, or one that may not be connected to. */
  lookUp(address: string): Promise<void> {
    return this.#client.check(new URL(address))
  }

  /** What is wrong with an address. A name that cannot be looked up now is no fault: every connection is checked again. */
  async faults(text: string): Promise<readonly FieldError[]> {
    const url = URL.parse(text)
    if (!url || url.search !== '' || url.hash !== '') {
      return [faultOf(field, 'format', 'is no http or https address without a query')]
    }
    try {
      await this.#client.check(url)
    } catch (error) {
      if (!(error instanceof EgressError)) throw error
      if (error.reason === 'url_invalid') return [faultOf(field, 'format', 'is no http or https address')]
      if (error.reason === 'address_forbidden') {
        return [faultOf(field, 'address_forbidden', 'is not on the public internet, and the operator did not allow it')]
      }
    }
    const isClear = url.protocol === 'http:' && !this.#exceptions.has(`${url.hostname}:${url.port || '80'}`)
    return isClear ? [faultOf(field, 'https', 'is https: keys are not sent in the clear')] : []
  }
}
