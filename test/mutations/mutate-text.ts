import type { Mutation } from './mutation.ts'

/** The text of a file with one mutation in it; throws unless what it replaces is found exactly once. */
export function mutateText(text: string, { name, file, before, after }: Mutation): string {
  const found = text.split(before).length - 1
  if (found !== 1) throw new Error(`${name}: its text is found ${found} times in ${file}, and must be found once`)
  // A function, because a text may hold what `replace` reads as a pattern.
  return text.replace(before, () => after)
}
