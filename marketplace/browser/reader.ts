import { chooseLocale, type Locale } from '#kernel'
import type { PageChange, PluginManifest, TestPageContext } from '#sandbox'

/** A preference as the platform tells it. */
interface Preference {
  readonly key: string
  readonly value: unknown
}

const usualUser = 1
const usualTenant: NonNullable<TestPageContext['tenant']> = { id: 1, code: 'test' }

/** Whom a page is shown to in a test, and how they like it. */
export class Reader {
  readonly area: 'admin' | 'tenant'
  readonly #manifest: PluginManifest
  readonly #chosen = new Map<string, unknown>()
  #context: TestPageContext

  constructor(manifest: PluginManifest, area: 'admin' | 'tenant', context: TestPageContext) {
    this.#manifest = manifest
    this.area = area
    this.#context = context
    this.#choose(context)
  }

  /** Takes over what is said, and leaves the rest. */
  change({ permissions, ...context }: PageChange): void {
    const { id } = this.user
    this.#context = { ...this.#context, ...context, ...(permissions && { user: { id, permissions } }) }
    this.#choose(context)
  }

  get user() {
    const { permissions = [] } = this.#manifest
    return this.#context.user ?? { id: usualUser, permissions: permissions.map(({ code }) => code) }
  }

  /** The tenant whose public routes are asked. */
  get visited(): { readonly id: number; readonly code: string } {
    return this.#context.tenant ?? usualTenant
  }

  get tenant(): { readonly id: number; readonly code: string; readonly name: string } | null {
    if (this.area === 'admin') return null
    const { id, code, name = code } = this.#context.tenant ?? usualTenant
    return { id, code, name }
  }

  get locale(): Locale {
    return chooseLocale(this.#context.locale)
  }

  /** All of them, those of the plugin by their whole names. */
  get preferences(): readonly Preference[] {
    const { timeZone, theme = 'light', density = 'comfortable', dateFormat } = this.#context
    const { name, preferences = [] } = this.#manifest
    return [
      { key: 'locale', value: this.locale },
      { key: 'theme', value: theme },
      { key: 'density', value: density },
      ...(timeZone === undefined ? [] : [{ key: 'timezone', value: timeZone }]),
      ...(dateFormat === undefined ? [] : [{ key: 'date_format', value: dateFormat }]),
      ...preferences.map((each) => {
        const key = `plugin.${name}.${each.key}`
        return { key, value: this.#chosen.has(key) ? this.#chosen.get(key) : each.default }
      }),
    ]
  }

  /** Keeps what the page lets the user choose; `undefined` gives a choice back. */
  choose(key: string, value: unknown): void {
    if (value === undefined) this.#chosen.delete(key)
    else this.#chosen.set(key, value)
  }

  #choose({ preferences = {} }: TestPageContext): void {
    for (const [key, value] of Object.entries(preferences)) this.choose(`plugin.${this.#manifest.name}.${key}`, value)
  }
}
