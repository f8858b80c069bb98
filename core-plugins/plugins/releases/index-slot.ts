import type { TrustStore } from '#marketplace'
import type {
  IncomingRelease,
  JudgedPlugin,
  LicenceAuthority,
  OfferedRelease,
  PackageIndex,
  PackageIndexes,
  ReleaseFacts,
  TakingTerms,
  WantedRelease,
} from '../contract-packages.ts'
import { NoIndexError } from '../shared/errors.ts'

/** Told that what the index knows changed. */
type Listener = () => Promise<void>

/** Who knows of packages beside those that are uploaded: the last one registered, or nobody. */
export class IndexSlot implements PackageIndex, PackageIndexes {
  readonly #indexes: PackageIndex[] = []
  readonly #listeners = new Set<Listener>()
  readonly #siteTrust: TrustStore

  constructor(siteTrust: TrustStore) {
    this.#siteTrust = siteTrust
  }

  register(index: PackageIndex): Disposable {
    this.#indexes.push(index)
    return {
      [Symbol.dispose]: () => {
        const at = this.#indexes.lastIndexOf(index)
        if (at !== -1) this.#indexes.splice(at, 1)
      },
    }
  }

  async announce(): Promise<void> {
    for (const listener of this.#listeners) await listener()
  }

  /** Is told what `announce` says, until the result is disposed. */
  onChange(listener: Listener): Disposable {
    this.#listeners.add(listener)
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) }
  }

  /** Throws 400/4009 while there is no index, and otherwise what the index does. */
  async find(wanted: WantedRelease): Promise<OfferedRelease> {
    if (!this.#index) throw new NoIndexError()
    return this.#index.find(wanted)
  }

  /** Throws 400/4009 while there is no index, and otherwise what the index does. */
  async fetch(wanted: WantedRelease, terms?: TakingTerms): Promise<IncomingRelease & AsyncDisposable> {
    if (!this.#index) throw new NoIndexError()
    return this.#index.fetch(wanted, terms)
  }

  trustOf(publisher: string): TrustStore {
    return this.#index?.trustOf(publisher) ?? this.#siteTrust
  }

  async believe(publisher: string): Promise<void> {
    await this.#index?.believe(publisher)
  }

  async requireNotRevoked(release: ReleaseFacts): Promise<void> {
    await this.#index?.requireNotRevoked(release)
  }

  async requireRunnable(plugin: JudgedPlugin): Promise<void> {
    await this.#index?.requireRunnable(plugin)
  }

  async override(...given: Parameters<PackageIndex['override']>): Promise<void> {
    await this.#index?.override(...given)
  }

  async findRevocations(pluginIds: readonly number[]): ReturnType<PackageIndex['findRevocations']> {
    return (await this.#index?.findRevocations(pluginIds)) ?? new Map()
  }

  async findUpdates(names: readonly string[]): ReturnType<PackageIndex['findUpdates']> {
    return (await this.#index?.findUpdates(names)) ?? new Map()
  }

  get licences(): LicenceAuthority {
    return this.#index?.licences ?? noAuthority
  }

  get #index(): PackageIndex | undefined {
    return this.#indexes.at(-1)
  }
}

const noAuthority: LicenceAuthority = {
  findKey: () => Promise.resolve(undefined),
  judgesOf: () => Promise.resolve(() => false),
  revoked: () => Promise.resolve([]),
}
