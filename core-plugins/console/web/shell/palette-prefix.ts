import type { Source } from '../search/sources.ts'

/** What a sign before the words limits the palette to: actions of the page, or records of one kind. */
export type PaletteKind = 'actions' | Extract<Source['name'], 'users' | 'conversations'>

const kinds: Readonly<Record<string, PaletteKind>> = { '>': 'actions', '@': 'users', '#': 'conversations' }

/** The words without the sign before them, and what that sign limits them to. */
export function readPrefix(typed: string): { readonly words: string; readonly kind: PaletteKind | undefined } {
  const text = typed.trim()
  const kind = kinds[text.slice(0, 1)]
  return { words: kind ? text.slice(1).trim() : text, kind }
}
