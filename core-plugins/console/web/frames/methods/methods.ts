import { pageFault, type PageFault } from '../page-fault.ts'
import { call } from '../../api/client.ts'
import { Allowance } from '../allowance.ts'
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
  return ({ level, message, stack = '' }, around) => {
    const { slot } = around
    if (import.meta.env.DEV) console.info(slot.plugin, level, message)
    if (!slot.in_development) return {}
    const said = pageFault(slot, String(message), String(stack))
    if (level === 'error') around.fault(said)
    // What stoa dev prints; a page that says too much is not printed whole.
    if (allowance.take()) tellAuthor(slot.plugin, levels.find((one) => one === level) ?? 'info', said)
    return {}
  }
}

function tellAuthor(plugin: string, level: string, said: PageFault): void {
  // Whom it does not reach reads it over the page.
  call('POST', '/plugins/page-logs', { body: { plugin, level, ...said } }).catch(() => undefined)
}
