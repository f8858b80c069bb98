import { loadTexts } from '#kernel'
import { english } from './en.ts'

/** What is said of calls that are not answered, in every language. */
export const texts = loadTexts(import.meta.dirname, english)
