/** What is put into the `{names}` of a text. */
export type TextValues = Readonly<Record<string, string | number | Said>>

/** Something said that is kept, to be told to each reader in the own language. */
export interface Said {
  /** In English, or as its author wrote it. */
  readonly words: string
  /** The key of its text: the reason of an error, or a key that begins with `notice.`. Absent for what is only told as it was written. */
  readonly reason?: string
  /** Which rule was broken, where the text of the reason depends on it. */
  readonly rule?: string
  readonly values?: TextValues
}

/** Puts values into the `{names}` of a text; what was said is put in as `tell` has it, in English unless told otherwise. */
export function fillTemplate(
  template: string,
  values: TextValues,
  tell: (said: Said) => string = ({ words }) => words,
): string {
  return template.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined
    return typeof value === 'object' ? tell(value) : String(value ?? whole)
  })
}

/** The same with no more than so many characters. */
export function shortenSaid(said: Said, most: number): Said {
  return said.words.length > most ? { ...said, words: said.words.slice(0, most) } : said
}

/** What a row keeps as words, with what they were told from unless others were written since. */
export function saidOf(words: string | null, said: Said | null): Said {
  return said?.words === words ? said : { words: words ?? '' }
}
