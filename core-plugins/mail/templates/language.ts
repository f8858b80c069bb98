import type { MessageTemplate } from '../contract.ts'

/** The words of one message. Every `{name}` is a value; `{sender}` is the tenant or else the site. */
export interface TemplateText {
  /** Of several the first whose values are there. */
  readonly subject: string | readonly string[]
  /** Paragraphs of an e-mail; one that names a value nobody gave is left out, a line that is `{code}` or `{link}` stands out. */
  readonly email: readonly string[]
  /** Sentences of a text message; left out likewise. */
  readonly sms: readonly string[]
}

/** Everything that messages say in one language. */
export interface Language {
  /** The first of them whose values are there. */
  readonly greetings: readonly string[]
  readonly closings: readonly string[]
  /** Frames the sentences of a text message. */
  readonly sms: string
  /** Between sentences. */
  readonly space: string
  readonly texts: Readonly<Record<MessageTemplate, TemplateText>>
}

/** What messages say in another language than English, which is told where something is missing. */
export type Translated = Partial<Omit<Language, 'texts'>> & { readonly texts?: Partial<Language['texts']> }
