import type {
  ConfigGroupDeclaration,
  ConfigItemDeclaration,
  Localised,
  MenuDeclaration,
  PermissionDeclaration,
} from '#kernel'
import { permissionCode, pluginHash8 } from '../manifest/names.ts'
import type { ConfigItem } from '../manifest/config-item.ts'
import type { PluginManifest } from '../manifest/plugin-manifest.ts'

const groupSort = 1_000
const menuSort = 100

/** A plugin's permissions, each in the scopes of the routes, slots and tools that ask for it. */
export function declarePermissions(manifest: PluginManifest): readonly PermissionDeclaration[] {
  const { name, scope, permissions = [], admin_routes = [], tenant_routes = [], slots = [] } = manifest
  const tools = manifest.provides?.aiTools ?? []
  const asksOf = (list: readonly { readonly permission?: string }[]): ReadonlySet<string | undefined> =>
    new Set(list.map(({ permission }) => permission))
  const admin = asksOf([...admin_routes, ...slots.filter(({ area }) => area === 'admin')])
  const tenant = asksOf([...tenant_routes, ...tools, ...slots.filter(({ area }) => area !== 'admin')])
  const otherwise = scope === 'tenant' ? 'TENANT' : 'ADMIN'
  const declare = (
    declaredScope: 'ADMIN' | 'TENANT',
    isDeclared: (code: string) => boolean,
  ): readonly PermissionDeclaration[] => {
    const actions = permissions.filter(({ code }) => isDeclared(code)).map(({ code, title }) => [code, title])
    if (actions.length === 0) return []
    return [
      {
        resource: `plugin.${name}`,
        scope: declaredScope,
        actions: Object.fromEntries(actions) as PermissionDeclaration['actions'],
      },
    ]
  }
  const isUnused = (code: string): boolean => !admin.has(code) && !tenant.has(code)
  return [
    ...declare('ADMIN', (code) => admin.has(code) || (isUnused(code) && otherwise === 'ADMIN')),
    ...declare('TENANT', (code) => tenant.has(code) || (isUnused(code) && otherwise === 'TENANT')),
  ]
}

/** What administrators chose about one menu entry; what is not said is as the manifest has it. */
export interface MenuEntryChoice {
  readonly hidden?: boolean
  readonly title?: Localised
  readonly order?: number
}

/** A plugin's entries of the navigation, by id as administrators want them. */
export function declareMenus(
  { name, menu = [], slots = [] }: PluginManifest,
  choices: Readonly<Record<string, MenuEntryChoice>> = {},
): readonly MenuDeclaration[] {
  return menu.map(({ id, title, area, slot, order = menuSort, icon }) => {
    const permission = slots.find((candidate) => candidate.id === slot)?.permission
    const choice = Object.hasOwn(choices, id) ? choices[id] : undefined
    return {
      name: `plugin.${name}.${id}`,
      title: choice?.title ?? title,
      area,
      type: 'plugin',
      path: `/plugins/${name}/${slot}`,
      component: slot,
      sort: choice?.order ?? order,
      ...(choice?.hidden && { hidden: true }),
      ...(icon === undefined ? {} : { icon }),
      ...(permission === undefined ? {} : { permission: permissionCode(name, permission) }),
    }
  })
}

/** A plugin's configuration: one group for tenants and one for the platform, keys prefixed where they are stored. */
export function declareConfig(manifest: PluginManifest): readonly ConfigGroupDeclaration[] {
  const { name, title, description, config = [] } = manifest
  const group = (scope: ConfigItem['scope'], code: string): readonly ConfigGroupDeclaration[] => {
    const items = config.filter((item) => item.scope === scope).map((item) => declareItem(name, item))
    if (items.length === 0) return []
    const reach = scope === 'tenant' ? 'ALL_TENANTS' : 'ADMIN_ONLY'
    return [{ code, name: title, description, sort: groupSort, scope: reach, items }]
  }
  return [...group('tenant', `plugin.${name}`), ...group('platform', `plugin.${name}.platform`)]
}

function declareItem(name: string, item: ConfigItem): ConfigItemDeclaration {
  const { key, type, label, description, options, required, rules, boundTo } = item
  const stored = (short: string): string => `plg_${pluginHash8(name)}_${short}`
  return {
    key: stored(key),
    type,
    name: label ?? { default: key },
    ...(description === undefined ? {} : { description }),
    ...(item.default === undefined ? {} : { default: item.default }),
    ...(required === undefined ? {} : { required }),
    ...(rules === undefined ? {} : { rules }),
    ...(boundTo === undefined ? {} : { boundTo: boundTo.map(stored) }),
    ...(options === undefined ? {} : { options: options.map(toOption) }),
  }
}

function toOption(
  option: NonNullable<ConfigItem['options']>[number],
): NonNullable<ConfigItemDeclaration['options']>[number] {
  return typeof option === 'string' ? { value: option, label: { default: option } } : option
}
