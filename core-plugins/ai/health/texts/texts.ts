import { loadTexts } from '#kernel'
import { english } from './en.ts'

/** What is said of targets that are taken out of use, in every language. */
export const texts = loadTexts(import.meta.dirname, english)
