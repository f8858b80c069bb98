import { loadTexts } from '#kernel'
import { english } from './en.ts'

/** What this plugin says, in every language. */
export const texts = loadTexts(import.meta.dirname, english)
