/** A field of a form that somebody else describes. */
export interface SchemaField {
  readonly field: string
  readonly title: string
  readonly description?: string
  readonly widget: 'input' | 'number' | 'password' | 'select' | 'switch'
  readonly secret: boolean
  readonly options?: readonly unknown[]
  readonly visible_when?: unknown
}

/** Whether a field is asked for, with these values of the others. */
export function isAsked({ visible_when: when }: SchemaField, values: Readonly<Record<string, unknown>>): boolean {
  if (typeof when !== 'object' || when === null) return true
  return Object.entries(when).every(([field, wanted]) => [wanted].flat().includes(values[field]))
}
