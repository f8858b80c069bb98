import path from 'node:path'

/** Where the console is made from, and where it is made. */
export interface ConsoleFolders {
  readonly web: string
  readonly lock: string
  readonly dist: string
}

const own = path.join(import.meta.dirname, '..')

/** Those of this checkout. */
export const consoleFolders: ConsoleFolders = {
  web: path.join(own, 'web'),
  lock: path.join(own, '..', '..', 'package-lock.json'),
  dist: path.join(own, 'dist'),
}
