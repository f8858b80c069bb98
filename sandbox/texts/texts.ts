import { loadTexts } from '#kernel'

/** What the errors of the sandbox say; for the manifest of the plugin that owns the sandbox. */
export const sandboxTexts = loadTexts(import.meta.dirname, {})
