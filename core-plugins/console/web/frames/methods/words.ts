import { preferences as known, choose, unchoose } from '../../api/me.ts'
import { toast } from '../../ui/toasts.ts'
import { Allowance } from '../allowance.ts'
import { refusal, wrongParams } from '../fault.ts'
import { isSet, numberOf, paramsOf, textOf } from '../params.ts'
import type { Method, Surroundings } from '../surroundings.ts'

const levels = new Set(['info', 'success', 'warning', 'error'])

/** Says something in passing, in the name of the plugin. What is too much is left out. */
export function notifyMethod(): Method {
  const allowance = new Allowance(5, 60_000)
  return (params, { slot }) => {
    const text = textOf(params, 'text', 300)
    if (!levels.has(textOf(params, 'level', 20))) throw wrongParams('level is none')
    if (allowance.take()) toast(`${slot.plugin_title}: ${text}`)
    return {}
  }
}

/** Asks the reader in the console's own dialogue, which names the plugin. */
export function confirmMethod(): Method {
  const allowance = new Allowance(10, 60_000)
  return async (params, around) => {
    const question = {
      kind: 'confirm',
      title: textOf(params, 'title', 120),
      text: textOf(params, 'text', 1000),
      confirm: params['confirm'] === undefined ? undefined : textOf(params, 'confirm', 40),
      danger: isSet(params, 'danger'),
    } as const
    if (!allowance.take()) throw refusal('rate_limited')
    return { confirmed: await around.ask(question) }
  }
}

export const titleMethod: Method = (params, around) => {
  around.title(textOf(params, 'title', 80))
  return {}
}

export const badgeMethod: Method = (params, around) => {
  const count = params['count'] === null ? null : numberOf(params, 'count')
  if (count !== null && (count < 0 || count > 999)) throw wrongParams('count must be 0 to 999')
  around.badge(count === null ? null : Math.trunc(count))
  return {}
}

export const dirtyMethod: Method = (params, around) => {
  around.dirty(isSet(params, 'dirty'))
  return {}
}

/** Keeps what the reader chose in the page. */
export const setPreferencesMethod: Method = async (params, around) => {
  const values = Object.entries(paramsOf(params['values']))
  const own = new Set(keysOf(around))
  if (values.some(([key]) => !own.has(key))) throw refusal('not_found')
  await choose(Object.fromEntries(values.map(([key, value]) => [prefixOf(around) + key, value])))
  return { preferences: pagePreferences(around.slot.plugin) }
}

/** Gives choices back, all of them unless keys are named. */
export const resetPreferencesMethod: Method = async (params, around) => {
  const named = params['keys'] ?? keysOf(around)
  if (!Array.isArray(named)) throw wrongParams('keys must be a list')
  const own = new Set(keysOf(around))
  if (named.some((key) => !own.has(key as string))) throw refusal('not_found')
  for (const key of named as readonly string[]) await unchoose(prefixOf(around) + key)
  return { preferences: pagePreferences(around.slot.plugin) }
}

/** What the reader chose of what a plugin lets choose, without its name. */
export function pagePreferences(plugin: string): Readonly<Record<string, unknown>> {
  const prefix = `plugin.${plugin}.`
  return Object.fromEntries(
    known.value.flatMap(({ key, value }) => (key.startsWith(prefix) ? [[key.slice(prefix.length), value]] : [])),
  )
}

function keysOf({ slot }: Surroundings): readonly string[] {
  return Object.keys(pagePreferences(slot.plugin))
}

function prefixOf({ slot }: Surroundings): string {
  return `plugin.${slot.plugin}.`
}
