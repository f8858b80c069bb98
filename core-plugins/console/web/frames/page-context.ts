import type { PageContext, PageNotification, SlotKind } from '../../../../sandbox/sdk/ui/protocol.ts'
import { preferenceOf, readerZone } from '../api/me.ts'
import type { SlotEntry } from '../api/slots.ts'
import { session } from '../session/session.ts'
import { currentLocale } from '../tab/i18n.ts'
import { pagePreferences } from './methods/words.ts'

const colors = [
  ...['ground', 'surface', 'raised', 'sunken', 'line', 'line-strong', 'text', 'text-soft', 'accent', 'accent-hover'],
  ...['accent-soft', 'on-accent', 'good', 'good-soft', 'warn', 'warn-soft', 'bad', 'bad-soft'],
]
/** A place that is closed while its page runs on. */
const closedPlace = '[inert]'
const modes: Readonly<Record<SlotKind, PageContext['displayMode']>> = {
  page: 'page',
  floating_panel: 'panel',
  dashboard_widget: 'inline',
  settings_tab: 'inline',
  header_widget: 'inline',
  notification_ui: 'inline',
}

/** Where a page is shown. */
export interface FramePlace {
  readonly kind: SlotKind
  /** Within which the page is. */
  readonly notification?: PageNotification | undefined
}

/** What a page is told of where it is and for whom: no name, no address, and of the reader's rights those of its plugin. */
export function pageContext(
  slot: SlotEntry,
  { kind, notification }: FramePlace,
  frame: HTMLElement,
  route: string,
): PageContext {
  const { me } = session.state
  const { theme } = document.documentElement.dataset
  return {
    plugin: { name: slot.plugin, version: slot.version, title: slot.plugin_title },
    slot: { id: slot.id, kind, area: slot.area, title: slot.title },
    tenant: me?.tenant ? { id: me.tenant.id, code: me.tenant.code, name: me.tenant.name } : null,
    user: { id: me?.user.id ?? 0, permissions: slot.permissions },
    locale: currentLocale(),
    timeZone: readerZone(),
    dateFormat: preferenceOf('date_format', 'YYYY-MM-DD'),
    theme: theme === 'dark' ? 'dark' : 'light',
    density: preferenceOf('density', 'comfortable'),
    styles: { variables: styleVariables(kind) },
    container: { width: frame.clientWidth, height: frame.clientHeight },
    displayMode: modes[kind],
    route,
    visible: document.visibilityState === 'visible' && frame.closest(closedPlace) === null,
    online: !session.state.isOffline,
    preferences: pagePreferences(slot.plugin),
    ...(notification && { notification }),
  }
}

/** The colours and the rest of the theme as they are now. */
function styleVariables(kind: SlotKind): Readonly<Record<string, string>> {
  const style = getComputedStyle(document.documentElement)
  const of = (name: string) => style.getPropertyValue(`--${name}`).trim()
  return {
    ...Object.fromEntries(colors.map((name) => [`--stoa-color-${name}`, of(name)])),
    // In a card a page stands on the card's colour.
    '--stoa-color-ground': of(kind === 'page' ? 'ground' : 'surface'),
    '--stoa-radius': of('radius'),
    '--stoa-font': of('font'),
    '--stoa-mono': of('mono'),
  }
}

/** The members of a context that are not as they were. */
export function changesOf(before: PageContext, after: PageContext): Partial<PageContext> {
  return Object.fromEntries(
    Object.entries(after).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name as keyof PageContext]),
    ),
  )
}
