import { loadTexts } from '#kernel'
import { english } from './en.ts'

/** What is declared here says, in every language. */
export const texts = loadTexts(import.meta.dirname, english)
