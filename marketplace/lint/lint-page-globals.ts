import type { Finding } from './finding.ts'
import { unguardedGlobals } from './unguarded-globals.ts'

const asked = "ask the plugin's own routes through the bridge: stoa.get('/…'), or post, put, patch, delete"
const kept = 'keep it in a preference (stoa.preferences.set) or in a row, through a route'

/** What scripts of other sites use, and a frame of no origin refuses, with what to do instead. */
const mends: Readonly<Record<string, string>> = {
  ...{ fetch: asked, XMLHttpRequest: asked },
  ...{ localStorage: kept, sessionStorage: kept, indexedDB: kept, 'document.cookie': kept },
}
const names = Object.keys(mends)
const wanted = { names, objects: ['window', 'self', 'globalThis'] }

/** Finds where a script of a page uses what a page has not, unless it asks for it first or catches what comes of it. */
export async function lintPageGlobals(file: string, text: string): Promise<readonly Finding[]> {
  // What does not parse is told elsewhere.
  const lines = await unguardedGlobals(file, text, wanted).catch(() => new Map<number, ReadonlySet<string>>())
  return [...lines].flatMap(([line, used]) =>
    [...used].map((name): Finding => {
      const message = `A page has no ${name}: ${mends[name] ?? ''}.`
      return { level: 'warning', rule: 'page_global', file, line, message }
    }),
  )
}
