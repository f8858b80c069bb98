import { pickText } from '#kernel'
import type { PluginManifest, Release } from '#sandbox'
import type { Reader } from './reader.ts'

type Slot = NonNullable<PluginManifest['slots']>[number]

/** Where the console looks for the slots of each kind. */
const groups: Readonly<Record<Slot['slot'], string>> = {
  page: 'pages',
  dashboard_widget: 'dashboard_widgets',
  settings_tab: 'settings_tabs',
  header_widget: 'header_widgets',
  floating_panel: 'floating_panels',
  notification_ui: 'notification_ui',
}
/** Longer than any test; what is renewed would only disturb one. */
const tokenSeconds = 86_400

/** What the console asks the platform before it shows a page, by method and path; undefined for all else. */
export function consoleAnswer(method: string, path: string, reader: Reader, release: Release): unknown {
  switch (`${method} ${path.replace(/^\/admin\/auth/, '/auth')}`) {
    case 'POST /auth/refresh':
      return { access_token: tokenOf(reader.user.id), expires_in: tokenSeconds }
    case 'GET /auth/me':
      return presentReader(reader)
    case 'GET /permissions/menus':
      return { items: [] }
    case 'GET /preferences':
      return { items: reader.preferences }
    case 'GET /plugins/slots':
      return presentSlots(reader, release)
    case 'POST /auth/ws-ticket':
      return { ticket: 'of-a-test' }
    default:
      return undefined
  }
}

/** Its claims are all that a browser reads of it. */
function tokenOf(userId: number): string {
  return ['{}', JSON.stringify({ user_id: userId }), ''].map((part) => btoa(part)).join('.')
}

function presentReader({ user: { id }, tenant }: Reader): object {
  return {
    user: {
      ...{ id, account: 'test', email: 'user@plugin.test', nickname: 'Test', avatar_url: '', roles: [] },
      ...{ tenant_id: tenant?.id ?? 0, phone: '', status: 'active', org_ids: [], locale: null, timezone: null },
      ...{ two_factor_enabled: false, last_login_at: null, created_at: '2026-01-01T00:00:00.000Z' },
    },
    ...{ tenant, roles: [], permissions: ['user_preference:update'], data_scope: 'SELF', features: {} },
    preferences_version: '0',
    site: { name: tenant?.name ?? 'Stoa', logo: '', logo_dark: '', favicon: '', brand_color: '' },
    password_rules: { min_length: 8, complexity: 'none' },
  }
}

function presentSlots({ area, locale, user }: Reader, { name, version, treeHash, trust, manifest }: Release): object {
  const { slots = [], title, publisher } = manifest
  const open = slots.filter(
    (slot) =>
      (slot.area ?? 'tenant') === area && (slot.permission === undefined || user.permissions.includes(slot.permission)),
  )
  const told = ({ id, title: own = title, entry, size }: Slot): object => ({
    ...{ plugin: name, id, area, title: pickText(own, locale), size: size ?? null },
    url: `/plugin-ui/${name}/${treeHash}/${entry}`,
    ...{ version, release_hash: treeHash, plugin_title: pickText(title, locale), icon: null, publisher, trust },
    // Its author reads what goes wrong in it.
    ...{ in_development: true, saved_at: null, permissions: user.permissions },
  })
  return Object.fromEntries(
    Object.entries(groups).map(([kind, group]) => [group, open.filter(({ slot }) => slot === kind).map(told)]),
  )
}
