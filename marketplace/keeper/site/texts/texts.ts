import { loadTexts } from '#kernel'
import { english } from './en.ts'

/** What the web site of an index says, in every language. */
export const siteTexts = loadTexts(import.meta.dirname, english)
