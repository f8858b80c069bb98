import { ref, shallowRef } from 'vue'
import type { MenuBody } from '../../../access/wire.ts'
import type { PreferenceBody } from '../../../preferences/wire.ts'
import { authPath } from '../session/refresh.ts'
import { Problem } from '../session/problem.ts'
import { session, type Me } from '../session/session.ts'
import { siteName } from '../session/site.ts'
import { ownTab } from '../tab/owner.ts'
import { keepHint, type Theme } from '../tab/hint.ts'
import { setLocale, type LocaleName } from '../tab/i18n.ts'
import { setTheme } from '../tab/theme.ts'
import { call } from './client.ts'
import { pictureAddress } from '../tab/picture-address.ts'
import { showBrand } from '../tab/brand.ts'
import { showIcon } from '../tab/show-icon.ts'

/** An entry of the navigation. */
export type Menu = MenuBody

/** A choice of the reader's, or of whoever chose for everybody. */
export type Preference = PreferenceBody

/** The navigation of whoever is signed in. */
export const menus = shallowRef<readonly Menu[]>([])
/** Their preferences. */
export const preferences = ref<readonly Preference[]>([])
/** The question for them that was asked last, and the one whose answer is shown. */
let [askedTurn, shownTurn] = [0, 0]

/** Asks who is signed in and for what depends on that, and shows the pages as they like them. */
export async function loadMe(): Promise<void> {
  const { scope } = session.state
  if (!scope) return
  session.state.restriction = undefined
  const me = call<Me>('GET', `${authPath(scope)}/me`)
  await Promise.all([me, ...[loadMenus(), loadPreferences()].map(unlessRefused)])
  const found = await me
  const { user, tenant, site } = found
  ownTab(scope, `${tenant?.id ?? 0}/${user.id}`)
  session.state.me = found
  siteName.value = site.name
  showBrand(site.brand_color)
  showIcon(pictureAddress(site.favicon))
  if (!session.state.impersonation) keepHint({ scope, user_id: user.id })
}

/** What the caller may not ask for, or not before something else is done, is left as it is: the page stands without it. */
async function unlessRefused(asked: Promise<void>): Promise<void> {
  await asked.catch((error: unknown) => {
    if (!(error instanceof Problem && error.status === 403)) throw error
    session.restrict(error)
  })
}

/** The navigation anew: of another language, or after rights changed. */
export async function loadMenus(): Promise<void> {
  menus.value = (await call<{ items: readonly Menu[] }>('GET', '/permissions/menus')).items
}

/** Chooses values, applies them at once and keeps them, where the caller may have preferences. */
export async function choose(values: Readonly<Record<string, unknown>>): Promise<void> {
  if (session.state.scope === 'tenant' && !session.can('user_preference:update')) return
  await call('PATCH', '/preferences', { body: values })
  await loadPreferences()
  if ('locale' in values) await loadMenus()
}

/** Keeps what nobody chose with a button: where it fails nothing is said, and nothing is lost that somebody waits for. */
export async function keepQuietly(values: Readonly<Record<string, unknown>>): Promise<void> {
  const kept = await call('PATCH', '/preferences', { body: values }).catch(() => undefined)
  if (kept === undefined) return
  // An answer that is on its way may be from before.
  if (shownTurn < askedTurn) return loadPreferences().catch(() => undefined)
  preferences.value = preferences.value.map((each) =>
    each.key in values ? { ...each, value: values[each.key] } : each,
  )
}

/** Gives a choice back to what holds for everybody. */
export async function unchoose(key: string): Promise<void> {
  await call('DELETE', `/preferences/${encodeURIComponent(key)}`)
  await loadPreferences()
}

/** The value of a preference. */
export function preferenceOf<T>(key: string, otherwise: T): T {
  return (preferences.value.find((each) => each.key === key)?.value as T | undefined) ?? otherwise
}

/** The time zone that the reader chose, or has. */
export function readerZone(): string {
  return preferenceOf<string | null>('timezone', null) ?? Intl.DateTimeFormat().resolvedOptions().timeZone
}

async function loadPreferences(): Promise<void> {
  const turn = (askedTurn += 1)
  const { items } = await call<{ items: readonly Preference[] }>('GET', '/preferences', { query: { describe: true } })
  // What was asked for later is newer, whenever it comes.
  if (turn < shownTurn) return
  shownTurn = turn
  preferences.value = items
  const locale = preferenceOf<LocaleName | null>('locale', null)
  if (locale) {
    keepHint({ locale })
    await setLocale(locale)
  }
  setTheme(preferenceOf<Theme>('theme', 'system'))
  document.documentElement.dataset['density'] = preferenceOf('density', 'comfortable')
}
