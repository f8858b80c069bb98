import { menus, type Menu } from '../../api/me.ts'
import { Allowance } from '../allowance.ts'
import { refusal, wrongParams } from '../fault.ts'
import { openFloatingPanel } from '../floating-panels.ts'
import { isSet, numberOf, textOf, type Params } from '../params.ts'
import type { Method, Surroundings } from '../surroundings.ts'

const longestRoute = 2000
/** A page that goes somewhere by itself waits so long for a click that there was not; with `replace` it waits for none. */
const goMilliseconds = 500

/** Leads to a route of the page; after a click of the reader's also to another page of the plugin, or one of the reader's menu. */
export function navigateMethod(): Method {
  const allowance = new Allowance(120, 60_000)
  let turn: Promise<unknown> = Promise.resolve()
  return async (params, around) => {
    if (!allowance.take()) throw refusal('rate_limited')
    if (params['to'] !== undefined) {
      // One after the other: what waits for its click is not to come after what was asked for later.
      const gone = turn.then(() => goTo(params, around))
      turn = gone.catch(() => undefined)
      await gone
    } else if (!(await around.wasClicked())) throw refusal('forbidden')
    else if (!isPanelOpened(params, around)) around.leave(pathOf(params, around))
    return {}
  }
}

async function goTo(params: Params, around: Surroundings): Promise<void> {
  const to = routeOf(params, 'to')
  // What nobody clicked for is none of the reader's way back.
  around.route(to, isSet(params, 'replace') || !(await around.wasClicked(goMilliseconds)))
}

/** A floating panel of the plugin is opened beside what is shown, and is no page of the console. */
function isPanelOpened(params: Params, { slot }: Surroundings): boolean {
  if (params['console'] !== undefined) return false
  const route = params['route'] === undefined ? undefined : routeOf(params, 'route')
  return openFloatingPanel(slot.plugin, textOf(params, 'slot', 100), route)
}

function pathOf(params: Params, { slot }: Surroundings): string {
  if (params['console'] !== undefined) {
    const found = findMenu(menus.value, textOf(params, 'console', 200))
    if (found?.path == null || found.meta.hidden) throw refusal('not_found')
    return found.path
  }
  const id = textOf(params, 'slot', 100)
  if (!/^[\w-]+$/.test(id)) throw refusal('not_found')
  const route =
    params['route'] === undefined ? '' : `?${new URLSearchParams({ r: routeOf(params, 'route') }).toString()}`
  return `/plugins/${slot.plugin}/${id}${route}`
}

function findMenu(entries: readonly Menu[], name: string): Menu | undefined {
  for (const entry of entries) {
    const found = entry.name === name ? entry : findMenu(entry.children, name)
    if (found) return found
  }
  return undefined
}

function routeOf(params: Params, name: string): string {
  const route = textOf(params, name, longestRoute)
  if (!route.startsWith('/')) throw wrongParams(`${name} must begin with a slash`)
  return route
}

/** Opens a page elsewhere, once the reader has seen where it leads. */
export function openLinkMethod(): Method {
  const allowance = new Allowance(10, 60_000)
  return async (params, around) => {
    const url = URL.parse(textOf(params, 'url', 2000))
    if (url?.protocol !== 'https:' && url?.protocol !== 'mailto:') throw wrongParams('url must be https or mailto')
    if (!allowance.take()) throw refusal('rate_limited')
    const opened = await around.ask({ kind: 'link', url: url.href })
    if (opened) window.open(url.href, '_blank', 'noopener,noreferrer')
    return { opened }
  }
}

const sizable = new Set(['dashboard_widget', 'settings_tab', 'notification_ui'])
const least = 40
const most = 4000
/** The list that a notification stands in is to stay one. */
const mostInNotification = 400
const ignored = 2

/** Sets the height of a frame that has none of its own. A page that cannot make up its mind is not asked any more. */
export function resizeMethod(): Method {
  const often = new Allowance(10, 1000)
  const long = new Allowance(60, 10_000)
  let last = 0
  let isStopped = false
  return (params, around) => {
    const height = Math.min(
      Math.max(numberOf(params, 'height'), least),
      around.kind === 'notification_ui' ? mostInNotification : most,
    )
    if (!sizable.has(around.kind) || isStopped || Math.abs(height - last) <= ignored) return {}
    if (!often.take()) return {}
    if (!long.take()) isStopped = true
    else around.height((last = height))
    return {}
  }
}
