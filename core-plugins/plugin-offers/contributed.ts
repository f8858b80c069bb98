import type { Scope } from '#kernel'
import type { Capability, PluginManifest } from '#sandbox'
import type { LoadedPlugin } from '../plugins/contract.ts'
import type { Offers } from './offers.ts'

/** Something that a plugin brings, with its plugin. */
export interface Contributed<Item> {
  readonly plugin: LoadedPlugin
  readonly item: Item
}

/** What the plugins that run on this host bring of one kind, by their names and codes. */
export class ContributedItems<Item extends { readonly code: string }> {
  readonly #offers: Offers
  readonly #capability: Capability
  readonly #itemsOf: (provides: NonNullable<PluginManifest['provides']>) => readonly Item[] | undefined
  readonly #known = new Map<string, readonly Contributed<Item>[]>()

  constructor(
    offers: Offers,
    capability: Capability,
    itemsOf: (provides: NonNullable<PluginManifest['provides']>) => readonly Item[] | undefined,
  ) {
    this.#offers = offers
    this.#capability = capability
    this.#itemsOf = itemsOf
  }

  /** Makes what a plugin brings known for as long as it runs. */
  contribute(scope: Pick<Scope, 'register'>, plugin: LoadedPlugin): void {
    const { name, manifest } = plugin.release
    const items = this.#itemsOf(manifest.provides ?? {}) ?? []
    if (items.length === 0 || !this.#offers.isGranted(plugin, this.#capability)) return
    const known = items.map((item) => ({ plugin, item }))
    scope.register(() => {
      this.#known.set(name, known)
      return { [Symbol.dispose]: () => void (this.#known.get(name) === known && this.#known.delete(name)) }
    })
  }

  /** Those of plugins that run for the tenant (0 = the platform), in the order of their plugins. */
  list(tenantId: number): readonly Contributed<Item>[] {
    return [...this.#known.keys()]
      .sort()
      .flatMap((name) => this.#known.get(name) ?? [])
      .filter((one) => this.isOffered(one, tenantId))
  }

  /** One that runs here, for whomever; without a code it is the plugin's first. */
  find(name: string, code: string | undefined): Contributed<Item> | undefined {
    return this.#known.get(name)?.find(({ item }) => code === undefined || item.code === code)
  }

  /** Whether it is there for a tenant. */
  isOffered({ plugin }: Contributed<Item>, tenantId: number): boolean {
    return this.#offers.isOffered(plugin, this.#capability, tenantId)
  }

  /** How it stands for a tenant, whether it is there or not. */
  standing({ plugin }: Contributed<Item>, tenantId: number): ReturnType<Offers['standing']> {
    return this.#offers.standing(plugin, this.#capability, tenantId)
  }

  /** Whether its plugin failed so often that it is left alone for a while. */
  isPaused({ plugin }: Contributed<Item>): boolean {
    return this.#offers.isPaused(plugin)
  }
}
