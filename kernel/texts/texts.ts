import { loadTexts } from '../locale/load-texts.ts'

/** What the kernel itself says in other languages than English. */
export const texts = loadTexts(import.meta.dirname, {})
