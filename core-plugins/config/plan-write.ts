import { isDeepStrictEqual } from 'node:util'
import type { SecretBox } from '#kernel'
import type { CatalogueGroup, CatalogueItem } from './catalogue.ts'
import type { GroupView } from './contract.ts'
import { effectiveValue, ownRow, type Levels } from './effective.ts'
import { ConfigKeyUnknownError, ConfigValueInvalidError } from './errors.ts'
import { shorten } from './group-view.ts'
import { mask } from './present.ts'
import { checkValue } from './values/check-value.ts'
import { presentFault, type Fault } from './values/fault.ts'
import { isEmptyValue } from './values/normalise.ts'

/** A group's items with the normalised values they shall have, and those that shall lose their own. */
export interface CheckedWrite {
  readonly values: ReadonlyMap<CatalogueItem, unknown>
  readonly reset: readonly CatalogueItem[]
}

/** What has to be done for an item. */
export interface Change {
  readonly item: CatalogueItem
  readonly kind: 'update' | 'reset'
  readonly before: unknown
  /** Undefined drops the item's own value. */
  readonly after: unknown
}

/** Holds all of a write against the group's items; throws with every fault at once. */
export function checkWrite(
  group: CatalogueGroup,
  values: Readonly<Record<string, unknown>>,
  reset: readonly string[],
  view: GroupView,
): CheckedWrite {
  const { keyPrefix = '', locale = 'en' } = view
  const find = (key: string): CatalogueItem | undefined => group.items.get(keyPrefix + key)
  const unknown = [...Object.keys(values), ...reset].filter((key) => !find(key))
  if (unknown.length > 0) throw new ConfigKeyUnknownError({ group: group.code }, { details: { keys: unknown } })
  const dropped = [...new Set(reset)].map((key) => find(key)!)
  const kept = new Map<CatalogueItem, unknown>()
  const faults: [CatalogueItem, Fault][] = dropped
    .filter((item) => item.declaration.readonly)
    .map((item) => [item, { rule: 'readonly' }])
  for (const [key, given] of Object.entries(values)) {
    const item = find(key)!
    if (isKept(item, given)) continue
    const checked = checkGiven(item, given, dropped.includes(item))
    faults.push(...checked.faults.map((fault) => [item, fault] as [CatalogueItem, Fault]))
    kept.set(item, checked.value)
  }
  const errors = faults.map(([item, fault]) => presentFault(shorten(item.key, keyPrefix), fault, locale))
  if (errors.length > 0) throw new ConfigValueInvalidError({ errors })
  return { values: kept, reset: dropped }
}

/** What of a checked write changes anything, compared with what holds now. */
export function planChanges(write: CheckedWrite, levels: Levels, secrets: SecretBox): readonly Change[] {
  const updates = [...write.values].flatMap(([item, after]): Change[] => {
    const before = effectiveValue(item, levels, secrets).value
    if (isDeepStrictEqual(before, after)) return []
    // A cleared secret is no value of its own: the default holds again.
    if (item.declaration.type !== 'PASSWORD' || !isEmptyValue(after)) return [{ item, kind: 'update', before, after }]
    return ownRow(item, levels) ? [{ item, kind: 'update', before, after: undefined }] : []
  })
  const resets = write.reset.flatMap((item): Change[] => {
    const before = effectiveValue(item, levels, secrets).value
    return ownRow(item, levels) ? [{ item, kind: 'reset', before, after: undefined }] : []
  })
  return [...updates, ...resets]
}

/** The mask that comes back keeps the secret. */
function isKept({ declaration }: CatalogueItem, given: unknown): boolean {
  return declaration.type === 'PASSWORD' && given === mask
}

function checkGiven(
  item: CatalogueItem,
  given: unknown,
  isReset: boolean,
): { readonly value: unknown; readonly faults: readonly Fault[] } {
  if (isReset) return { value: undefined, faults: [{ rule: 'reset' }] }
  if (item.declaration.readonly) return { value: undefined, faults: [{ rule: 'readonly' }] }
  return checkValue(item.declaration, given, item.matches)
}
