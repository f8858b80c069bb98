import { loadTexts } from '#kernel'
import { english } from './en.ts'

/** What the marketplace says, in every language; its errors are told by the plugin that uses it. */
export const marketplaceTexts = loadTexts(import.meta.dirname, english)
