import path from 'node:path'

/** What the files of this program end with: `.ts`, or `.js` where it was compiled for a package. */
export const programExtension = path.extname(import.meta.filename)
