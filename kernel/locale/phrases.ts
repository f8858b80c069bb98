import { fillTemplate } from '../said.ts'

interface Pattern {
  readonly expression: RegExp
  readonly names: readonly string[]
  readonly template: string
}

/** What is longer is told by no sentence of a table. */
const longest = 500

/** Sentences in another language by their English ones, in which `{names}` stand for anything. */
export class Phrases {
  readonly #texts: Readonly<Record<string, string>>
  readonly #patterns: readonly Pattern[]

  /** Of a table of texts those whose keys are sentences, which have a space in them. */
  constructor(texts: Readonly<Record<string, string>>) {
    this.#texts = texts
    this.#patterns = Object.entries(texts).flatMap(([key, template]) =>
      key.includes(' ') && key.includes('{') ? [compile(key, template)] : [],
    )
  }

  /** A sentence in the other language, or undefined; what stands in its places is told by `tell`. */
  find(text: string, tell: (value: string) => string): string | undefined {
    if (!text.includes(' ') || text.length > longest) return undefined
    if (Object.hasOwn(this.#texts, text)) return this.#texts[text]
    for (const { expression, names, template } of this.#patterns) {
      const found = expression.exec(text)
      if (!found) continue
      return fillTemplate(template, Object.fromEntries(names.map((name, at) => [name, tell(found[at + 1] ?? '')])))
    }
    return undefined
  }
}

function compile(sentence: string, template: string): Pattern {
  const names: string[] = []
  const source = sentence
    .split(/\{(\w+)\}/)
    .map((part, at) => {
      if (at % 2 === 0) return part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
      names.push(part)
      return '(.+?)'
    })
    .join('')
  return { expression: new RegExp(`^${source}$`, 's'), names, template }
}
