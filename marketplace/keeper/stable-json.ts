/** JSON with the keys of every object in order and a line end, so that the same content is the same file and a change is a small difference. */
export function toStableJson(value: unknown): Buffer {
  return Buffer.from(`${JSON.stringify(sortKeys(value), null, 2)}\n`)
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, member]) => [key, sortKeys(member)]),
  )
}
