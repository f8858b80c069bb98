import type { SlotEntry } from '../api/slots.ts'

const mostLetters = 4_000
const mostLines = 12

/** An error of a page, or of a handler that it asked, as its author reads it. */
export interface PageFault {
  readonly message: string
  /** Where it was thrown, the nearest line first, by the files of the plugin. */
  readonly places: readonly string[]
}

/** Puts what was thrown into its author's words. */
export function pageFault({ plugin, release_hash: release }: SlotEntry, message: string, stack: string): PageFault {
  const folder = `${location.origin}/plugin-ui/${plugin}/${release}/`
  const lines = stack.slice(0, mostLetters).replaceAll(folder, '').split('\n')
  const places = lines.filter((line) => /^\s*at\s|@.*:\d+:\d+$/.test(line)).map((line) => line.trim())
  return { message: message.slice(0, mostLetters), places: places.slice(0, mostLines) }
}
