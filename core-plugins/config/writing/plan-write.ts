import { isDeepStrictEqual } from 'node:util'
import type { CatalogueGroup, CatalogueItem } from '../catalogue/catalogue.ts'
import type { WriteOptions } from '../contract.ts'
import { effectiveValue, ownRow, type Levels } from '../reading/effective.ts'
import { ConfigKeyUnknownError } from '../errors.ts'
import { checkValue } from '../values/check-value.ts'
import type { Fault } from '../values/fault.ts'
import { isEmptyValue } from '../values/normalise.ts'
import { mask, type ValueCodec } from '../reading/value-codec.ts'

/** A group's items with the normalised values they shall have, those that shall lose their own, and what is wrong with the rest. */
export interface CheckedWrite {
  readonly values: ReadonlyMap<CatalogueItem, unknown>
  readonly reset: readonly CatalogueItem[]
  readonly faults: readonly (readonly [item: CatalogueItem, fault: Fault])[]
}

/** What has to be done for an item. */
export interface Change {
  readonly item: CatalogueItem
  readonly kind: 'update' | 'reset'
  readonly before: unknown
  /** Undefined drops the item's own value. */
  readonly after: unknown
}

/** Why an item may not be written at all, if so. */
export type Refusal = (item: CatalogueItem) => Fault | undefined

/** Holds all of a write against the group's items; throws 400/4003 for keys it does not have. */
export function checkWrite(
  group: CatalogueGroup,
  given: Readonly<Record<string, unknown>>,
  { keyPrefix = '', reset = [], nullResets = false }: Pick<WriteOptions, 'keyPrefix' | 'reset' | 'nullResets'>,
  refusalOf: Refusal,
): CheckedWrite {
  const find = (key: string): CatalogueItem | undefined => group.items.get(keyPrefix + key)
  const unknown = [...Object.keys(given), ...reset].filter((key) => !find(key))
  if (unknown.length > 0) throw new ConfigKeyUnknownError({ group: group.code }, { details: { keys: unknown } })
  const isReset = (key: string): boolean => nullResets && given[key] === null && !find(key)?.declaration.required
  const dropped = [...new Set([...reset, ...Object.keys(given).filter(isReset)])].map((key) => find(key)!)
  const kept = new Map<CatalogueItem, unknown>()
  const faults: [CatalogueItem, Fault][] = []
  for (const item of dropped) {
    const refusal = refusalOf(item)
    if (refusal) faults.push([item, refusal])
  }
  for (const [key, value] of Object.entries(given)) {
    const item = find(key)!
    if (isReset(key) || isKept(item, value)) continue
    const refusal = dropped.includes(item) ? { rule: 'reset' as const } : refusalOf(item)
    const checked = refusal ? undefined : checkValue(item.declaration, value, item.matches)
    const found = checked?.faults ?? [refusal!]
    if (found.length === 0) kept.set(item, checked?.value)
    faults.push(...found.map((fault): [CatalogueItem, Fault] => [item, fault]))
  }
  return { values: kept, reset: dropped.filter((item) => faults.every(([other]) => other !== item)), faults }
}

/** What of a checked write changes anything, compared with what holds now. */
export function planChanges(write: CheckedWrite, levels: Levels, codec: ValueCodec): readonly Change[] {
  const updates = [...write.values].flatMap(([item, given]): Change[] => {
    const before = effectiveValue(item, levels, codec).value
    const after = codec.unmask(item, given, before)
    if (isDeepStrictEqual(before, after)) return []
    // A cleared secret is no value of its own: the default holds again.
    if (item.declaration.type !== 'PASSWORD' || !isEmptyValue(after)) return [{ item, kind: 'update', before, after }]
    return ownRow(item, levels) ? [{ item, kind: 'update', before, after: undefined }] : []
  })
  const resets = write.reset.flatMap((item): Change[] => {
    const before = effectiveValue(item, levels, codec).value
    return ownRow(item, levels) ? [{ item, kind: 'reset', before, after: undefined }] : []
  })
  return [...updates, ...resets]
}

/** The mask that comes back keeps the secret. */
function isKept({ declaration }: CatalogueItem, given: unknown): boolean {
  return declaration.type === 'PASSWORD' && given === mask
}
