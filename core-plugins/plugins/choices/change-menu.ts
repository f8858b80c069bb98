import { ValidationFailedError, type FieldError, type Principal } from '#kernel'
import type { MenuEntryChoice, PluginManifest } from '#sandbox'
import { changeChoice } from './choose.ts'
import type { PluginRow } from '../shared/models.ts'
import type { ChoiceNeeds } from './needs.ts'
import { getRelease } from '../releases/release-archive.ts'

/** What is said of one entry; null takes the word back, what is left out stays. */
export interface MenuEntryChange {
  readonly id: string
  readonly hidden?: boolean | null
  readonly title?: MenuEntryChoice['title'] | null
  readonly order?: number | null
}

type Choices = PluginRow['menuConfig']

/**
 * Hides, names and orders menu entries of a plugin; null for all puts every one back to the manifest. What was said of an entry
 * stays through upgrades. Throws 422/4220 for entries that the plugin does not have.
 */
export async function changeMenu(
  parts: ChoiceNeeds,
  plugin: PluginRow,
  entries: readonly MenuEntryChange[] | null,
  actor: Principal,
): Promise<void> {
  await changeChoice(parts, plugin, actor, {
    kind: 'menu_config',
    action: 'plugin.menu_changed',
    async choose({ activeRelease, menuConfig }, trx) {
      if (entries === null) return Object.keys(menuConfig).length === 0 ? undefined : { menuConfig: {} }
      requireKnown(entries, (await getRelease(trx, activeRelease)).manifest)
      return { menuConfig: applyChanges(menuConfig, entries) }
    },
  })
}

function applyChanges(known: Choices, entries: readonly MenuEntryChange[]): Choices {
  const changed = new Map(Object.entries(known))
  for (const { id, ...change } of entries) {
    const said = Object.entries({ ...changed.get(id), ...change }).filter(([, value]) => value !== null)
    if (said.length === 0) changed.delete(id)
    else changed.set(id, Object.fromEntries(said))
  }
  return Object.fromEntries(changed)
}

function requireKnown(entries: readonly MenuEntryChange[], { menu = [] }: PluginManifest): void {
  const allowed = menu.map(({ id }) => id)
  const errors = entries.flatMap(({ id }, index): FieldError[] => {
    const field = `entries.${index}.id`
    if (!allowed.includes(id)) {
      return [{ field, rule: 'enum', message: 'The plugin has no such menu entry', params: { id, allowed } }]
    }
    const isRepeated = entries.findIndex((other) => other.id === id) < index
    return isRepeated ? [{ field, rule: 'unique', message: 'This entry is named twice', params: { id } }] : []
  })
  if (errors.length > 0) throw new ValidationFailedError({ errors })
}
