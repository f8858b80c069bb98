import type { NeutralEvent } from '../wire/neutral.ts'

/** Of an answer so many characters are kept. */
const most = 65_536

/** What an answer said so far, for whoever keeps it. */
export class Heard {
  #text = ''
  readonly #calls = new Map<number, { name: string; arguments: string }>()
  #isCut = false

  push(events: readonly NeutralEvent[]): void {
    for (const event of events) {
      if (event.type === 'text' || event.type === 'refusal') this.#text = this.#cut(this.#text + event.text)
      if (event.type !== 'tool_call') continue
      const call = this.#calls.get(event.index) ?? { name: event.name ?? '', arguments: '' }
      call.arguments = this.#cut(call.arguments + (event.arguments ?? ''))
      this.#calls.set(event.index, call)
    }
  }

  get words(): {
    readonly text: string
    readonly calls: readonly { readonly name: string; readonly arguments: string }[]
    readonly isCut: boolean
  } {
    return { text: this.#text, calls: [...this.#calls.values()], isCut: this.#isCut }
  }

  #cut(text: string): string {
    if (text.length <= most) return text
    this.#isCut = true
    return text.slice(0, most)
  }
}
