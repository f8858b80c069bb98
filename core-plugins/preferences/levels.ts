import type { Principal } from '#kernel'
import type { Preference, PreferenceTable } from './catalogue.ts'

/** Whose preferences are meant. */
export type Owner = Pick<Principal, 'tenantId' | 'userId'>

/** What is stored for an owner, by key: the own values, and what everybody of the tenant or the platform begins with. */
export interface Levels {
  readonly personal: ReadonlyMap<string, unknown>
  readonly global: ReadonlyMap<string, unknown>
}

/** What holds for one preference, and why. */
export interface Effective {
  readonly preference: Preference
  readonly value: unknown
  readonly source: 'personal' | 'global' | 'system'
  /** Undefined when none is set. */
  readonly globalValue: unknown
}

/** Overlays the levels of one preference. A stored value that its declaration no longer allows counts as none. */
export function effectiveOf(preference: Preference, { personal, global }: Levels): Effective {
  const { key, default: system } = preference
  const own = allowed(preference, personal.get(key))
  const globalValue = allowed(preference, global.get(key))
  if (own !== undefined) return { preference, value: own, source: 'personal', globalValue }
  if (globalValue !== undefined) return { preference, value: globalValue, source: 'global', globalValue }
  return { preference, value: system, source: 'system', globalValue }
}

/** What holds for every preference there is. */
export function effectiveOfAll(table: PreferenceTable, levels: Levels): readonly Effective[] {
  return table.list().map((preference) => effectiveOf(preference, levels))
}

function allowed({ check }: Preference, value: unknown): unknown {
  return value !== undefined && check.isValid(value) ? value : undefined
}
