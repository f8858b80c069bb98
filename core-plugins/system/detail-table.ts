import type { HealthDetail, HealthDetails } from './contract.ts'

/** Who tells how this host is. */
export class DetailTable implements HealthDetails {
  readonly #sources = new Map<string, () => HealthDetail>()

  register(name: string, source: () => HealthDetail): Disposable {
    this.#sources.set(name, source)
    return {
      [Symbol.dispose]: () => {
        if (this.#sources.get(name) === source) this.#sources.delete(name)
      },
    }
  }

  /** What each of them tells now. */
  read(): Readonly<Record<string, HealthDetail>> {
    return Object.fromEntries([...this.#sources].map(([name, source]) => [name, source()]))
  }
}
