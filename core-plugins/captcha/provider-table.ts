import type { CaptchaProvider, CaptchaProviders } from './contract.ts'
import { CaptchaProviderTakenError } from './errors.ts'
import { withPatience } from './patient-provider.ts'

/** The providers that are there. */
export class ProviderTable implements CaptchaProviders {
  readonly #providers = new Map<string, CaptchaProvider>()
  readonly #onChange: () => void

  constructor(onChange: () => void) {
    this.#onChange = onChange
  }

  /** Makes a provider known until the result is disposed; throws 409/4091 for a code that is taken, or it could stand in for another. */
  register(given: CaptchaProvider): Disposable {
    const { code } = given
    const provider = given.plugin === null ? given : withPatience(given)
    if (this.#providers.has(code))
      throw new CaptchaProviderTakenError({ provider: code }, { details: { field: 'code' } })
    this.#providers.set(code, provider)
    this.#onChange()
    return {
      [Symbol.dispose]: () => {
        if (this.#providers.get(code) !== provider) return
        this.#providers.delete(code)
        this.#onChange()
      },
    }
  }

  /** The provider of a code, or of the plugin of that name. */
  find(name: string): CaptchaProvider | undefined {
    return this.#providers.get(name) ?? this.findOfPlugin(name)
  }

  /** The built-in one first, the others as they came. */
  list(): readonly CaptchaProvider[] {
    return [...this.#providers.values()]
  }

  /** The provider of a plugin. */
  findOfPlugin(plugin: string): CaptchaProvider | undefined {
    return this.list().find((provider) => provider.plugin === plugin)
  }
}
