import path from 'node:path'

/** Where Node keeps what it compiled: as `npm start` does, so that a process need not compile a thousand files anew. */
export const compileCache = path.join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'stoa')

/** What a process of ours is given of this one's environment: nothing that decides how a platform runs. */
export const childEnv: Readonly<Record<string, string>> = {
  PATH: process.env['PATH'] ?? '',
  NODE_COMPILE_CACHE: compileCache,
}
