/** What the server says of a statement that failed, in the names that its author knows. */
export interface DatabaseFault {
  readonly table?: string
  readonly columns?: readonly string[]
  readonly constraint?: string
}

const realName = /^plg_[0-9a-f]{8}_(.+)$/
const keyInDetail = /^Key \(([^()]*)\)=/

/** Reads it from an error of the driver's. Of the values in it nothing is taken: they may be another row's. */
export function readDatabaseFault(error: unknown): DatabaseFault {
  const { table, column, constraint, detail } = (error ?? {}) as Readonly<Record<string, unknown>>
  const [, key] = (typeof detail === 'string' && keyInDetail.exec(detail)) || []
  const columns = key === undefined ? (typeof column === 'string' ? [column] : []) : key.split(', ')
  const own = columns.filter((name) => name !== 'tenant_id' && /^[a-z][a-z0-9_]*$/.test(name))
  return {
    ...shortAs('table', table),
    ...(own.length > 0 ? { columns: own } : {}),
    ...shortAs('constraint', constraint),
  }
}

function shortAs<const K extends string>(key: K, name: unknown): { readonly [Name in K]?: string } {
  const [, short] = (typeof name === 'string' && realName.exec(name)) || []
  if (short === undefined) return {}
  const shown = key === 'constraint' ? short.replace(/_tenant_id(?=_)/, '') : short
  return { [key]: shown } as { readonly [Name in K]?: string }
}
