/** One leaf that is not the same before and after. */
export interface LeafChange {
  readonly path: string
  readonly before: string | undefined
  readonly after: string | undefined
}

/** What differs between two values, leaf by leaf; lists of plain values are told by what came and what went. */
export function leafChanges(before: unknown, after: unknown, path = ''): readonly LeafChange[] {
  if (JSON.stringify(before) === JSON.stringify(after)) return []
  if (isRecord(before) || isRecord(after)) {
    const one = isRecord(before) ? before : {}
    const other = isRecord(after) ? after : {}
    return [...new Set([...Object.keys(one), ...Object.keys(other)])].flatMap((key) =>
      leafChanges(one[key], other[key], path === '' ? key : `${path}.${key}`),
    )
  }
  if (isPlainList(before) && isPlainList(after)) {
    const gone = before.filter((each) => !after.includes(each))
    const come = after.filter((each) => !before.includes(each))
    if (gone.length + come.length > 0) return [{ path, before: listed(gone), after: listed(come) }]
  }
  return [{ path, before: shown(before), after: shown(after) }]
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isPlainList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.every((each) => typeof each !== 'object')
}

function listed(values: readonly unknown[]): string | undefined {
  return values.length === 0 ? undefined : values.map(String).join(', ')
}

function shown(value: unknown): string | undefined {
  if (value === undefined || value === null || value === '') return undefined
  return typeof value === 'string' ? value : JSON.stringify(value)
}
