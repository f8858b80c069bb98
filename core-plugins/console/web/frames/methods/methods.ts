import { pageFault, type PageFault } from '../page-fault.ts'
import { call } from '../../api/client.ts'
import { Allowance } from '../allowance.ts'
import type { SlotEntry } from '../../api/slots.ts'
import { findImport } from '../find-import.ts'
import type { Method } from '../surroundings.ts'
import { copyMethod, downloadMethod } from './files.ts'
import { navigateMethod, openLinkMethod, resizeMethod } from './places.ts'
import { requestMethod } from './request.ts'
import {
  badgeMethod,
  confirmMethod,
  dirtyMethod,
  notifyMethod,
  resetPreferencesMethod,
  setPreferencesMethod,
  titleMethod,
} from './words.ts'

const mostMissing = 5
const levels = ['debug', 'info', 'warn', 'error']

/** What a page may ask for, by name; what is limited is so for each frame by itself. */
export function frameMethods(): ReadonlyMap<string, Method> {
  return new Map<string, Method>([
    ['request', requestMethod()],
    ['navigate', navigateMethod()],
    ['openLink', openLinkMethod()],
    ['resize', resizeMethod()],
    ['setTitle', titleMethod],
    ['setBadge', badgeMethod],
    ['setDirty', dirtyMethod],
    ['notify', notifyMethod()],
    ['confirm', confirmMethod()],
    ['copy', copyMethod],
    ['download', downloadMethod],
    ['preferences.set', setPreferencesMethod],
    ['preferences.reset', resetPreferencesMethod],
    ['log', logMethod()],
    ['close', closed],
  ])
}

const closed: Method = (_params, around) => {
  around.close()
  return {}
}

/** Only whoever works on the console, or on a plugin beside it, reads what pages say. */
function logMethod(): Method {
  const allowance = new Allowance(120, 60_000)
  return async ({ level, message, stack = '', missing }, around) => {
    const { slot } = around
    if (import.meta.env.DEV) console.info(slot.plugin, level, message)
    if (!slot.in_development) return {}
    // A page that says too much is neither looked into further nor printed whole.
    const isHeard = allowance.take()
    const places = isHeard ? await placesOf(slot, missing) : undefined
    const said = pageFault(slot, String(message), places ?? String(stack))
    if (level === 'error') around.fault(said)
    // What stoa dev prints.
    if (isHeard) tellAuthor(slot.plugin, levels.find((one) => one === level) ?? 'info', said)
    return {}
  }
}

/** The lines that ask for files which are not there. */
async function placesOf({ plugin, release_hash: release }: SlotEntry, missing: unknown): Promise<string | undefined> {
  const { by, files } = (missing ?? {}) as { readonly by?: unknown; readonly files?: unknown }
  const folder = `${location.origin}/plugin-ui/${plugin}/${release}/`
  const script = typeof by === 'string' ? URL.parse(by)?.href : undefined
  if (!script?.startsWith(folder) || !Array.isArray(files)) return undefined
  const named = files.filter((file) => typeof file === 'string').slice(0, mostMissing)
  const found = await Promise.all(named.map((file) => findImport(script, file, folder)))
  const lines = found.filter((place) => place !== undefined)
  return lines.length > 0 ? lines.join('\n') : undefined
}

function tellAuthor(plugin: string, level: string, said: PageFault): void {
  // Whom it does not reach reads it over the page.
  call('POST', '/plugins/page-logs', { body: { plugin, level, ...said } }).catch(() => undefined)
}
