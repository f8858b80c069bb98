import { ExpiringMap } from '#kernel'
import type { InputSize } from './input-size.ts'

/** Of so many calls of a model the last are remembered. */
const remembered = 1_000
/** With fewer there is no experience. */
const few = 20
/** Three bytes a token, where a size is about one in 3.6. */
const usual = 1.2
/** So many more, and it is found anew. */
const learntAfter = 50
/** What nobody asks for is forgotten. */
const keptMs = 24 * 3_600_000
const mostModels = 1_000
/** The share of calls whose input is no larger than what is held for it. */
const covered = 0.99

interface Ratios {
  readonly values: number[]
  next: number
  factor: number | undefined
  /** That came since the factor was found. */
  fresh: number
}

/** A model as a provider counts it: a tenant may lead a model of everybody's to a provider of its own. */
interface Counted {
  readonly model: { readonly id: string }
  readonly provider: { readonly id: string }
}

/** How large the inputs of a model were, beside what they were taken for: on this host, by its last calls. */
export class InputExperience {
  readonly #models = new ExpiringMap<string, Ratios>(mostModels)

  /** A provider said how large an input was. */
  note(leg: Counted, { about, atMost, hasMedia }: InputSize, actual: number): void {
    if (hasMedia || about <= 0 || actual <= 0 || actual > atMost) return
    const key = keyOf(leg)
    const ratios = this.#models.get(key) ?? { values: [], next: 0, factor: undefined, fresh: 0 }
    ratios.values[ratios.next] = actual / about
    ratios.next = (ratios.next + 1) % remembered
    ratios.fresh += 1
    this.#models.set(key, ratios, keptMs)
  }

  /** As many tokens as an input will probably not exceed, and no more than it can have. */
  estimate(leg: Counted, { about, atMost }: InputSize): number {
    return Math.min(atMost, Math.ceil(about * this.#factorOf(keyOf(leg))))
  }

  #factorOf(key: string): number {
    const ratios = this.#models.get(key)
    if (!ratios || ratios.values.length < few) return usual
    if (ratios.factor === undefined || ratios.fresh >= learntAfter) {
      const ascending = ratios.values.toSorted((one, other) => one - other)
      ratios.factor = ascending[Math.ceil(ascending.length * covered) - 1]
      ratios.fresh = 0
    }
    return ratios.factor ?? usual
  }
}

function keyOf({ model, provider }: Counted): string {
  return `${provider.id} ${model.id}`
}
