import { loadTexts } from '#kernel'
import { english } from './en.ts'

/** What the errors of the sandbox say; for the manifest of the plugin that owns the sandbox. */
export const sandboxTexts = loadTexts(import.meta.dirname, english)
