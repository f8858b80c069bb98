import type { Answer } from '../support/api.ts'

/** How many answers of which kind there were. */
export class Tally {
  /** What should not have been refused, and was. */
  readonly faults: string[] = []
  readonly #counts = new Map<string, number>()

  /** Waits for an answer and counts it: by its code, or as lost. */
  async count(answer: Promise<Answer>): Promise<Answer | undefined> {
    try {
      const told = await answer
      this.add(nameOf(told))
      return told
    } catch {
      this.add('lost')
      return undefined
    }
  }

  /** Counts an outcome. */
  add(outcome: string): void {
    this.#counts.set(outcome, (this.#counts.get(outcome) ?? 0) + 1)
  }

  /** An outcome that must not be. */
  fault(text: string): void {
    this.faults.push(text)
  }

  /** Such as `20x200 3x5008`. */
  toString(): string {
    return [...this.#counts].map(([outcome, count]) => `${count}x${outcome}`).join(' ')
  }
}

/** The code of an error, or the status of anything else. */
export function nameOf({ status, body }: Answer): string {
  return status < 300 ? `${status}` : String((body as { code?: number } | undefined)?.code ?? status)
}
