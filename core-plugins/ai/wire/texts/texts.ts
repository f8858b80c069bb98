import { loadTexts } from '#kernel'
import { english } from './en.ts'

/** What is said of requests that cannot be read or carried, in every language. */
export const texts = loadTexts(import.meta.dirname, english)
