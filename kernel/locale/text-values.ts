/** What is put into the `{names}` of a text. */
export type TextValues = Readonly<Record<string, string | number>>
