import type { Logger } from '#kernel'
import type { TargetSource } from '../contract.ts'

/** What lines of the log are about, by name, as far as plugins are there that know. */
export class TargetNames {
  readonly #sources = new Map<string, TargetSource>()
  readonly #log: Pick<Logger, 'warn'>

  constructor(log: Pick<Logger, 'warn'>) {
    this.#log = log
  }

  /** Asks this source about one kind of targets, until the result is disposed. */
  use(kind: string, source: TargetSource): Disposable {
    this.#sources.set(kind, source)
    return { [Symbol.dispose]: () => void (this.#sources.get(kind) === source && this.#sources.delete(kind)) }
  }

  /** The names of targets of a tenant, asked for once a kind; what is gone has none, nor what a source fails to tell. */
  async of(tenantId: number, targets: readonly string[], locale: string): Promise<ReadonlyMap<string, string>> {
    const wanted = new Map<string, Set<string>>()
    for (const target of targets) {
      const [kind, id] = splitAtColon(target)
      if (this.#sources.has(kind)) wanted.set(kind, (wanted.get(kind) ?? new Set()).add(id))
    }
    const found = [...wanted].map(async ([kind, ids]) => {
      const named = await this.#ask(kind, () => this.#sources.get(kind)?.(tenantId, [...ids], locale))
      return named.map(({ id, name }) => [`${kind}:${id}`, name] as const)
    })
    return new Map((await Promise.all(found)).flat())
  }

  /** The log can be read without names. */
  async #ask(
    kind: string,
    ask: () => ReturnType<TargetSource> | undefined,
  ): Promise<Awaited<ReturnType<TargetSource>>> {
    try {
      return (await ask()) ?? []
    } catch (error) {
      this.#log.warn({ err: error, kind }, 'the names of what was written to could not be told')
      return []
    }
  }
}

function splitAtColon(target: string): readonly [before: string, after: string] {
  const at = target.indexOf(':')
  return [target.slice(0, at), target.slice(at + 1)]
}
