import { pageFault } from '../page-fault.ts'
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
    ['log', logged],
    ['close', closed],
  ])
}

const closed: Method = (_params, around) => {
  around.close()
  return {}
}

/** Only whoever works on the console, or on a plugin beside it, reads what pages say. */
const logged: Method = ({ level, message, stack = '' }, around) => {
  const { slot } = around
  if (slot.in_development && level === 'error') around.fault(pageFault(slot, String(message), String(stack)))
  if (import.meta.env.DEV) console.info(slot.plugin, level, message)
  return {}
}
