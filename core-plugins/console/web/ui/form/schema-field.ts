/** A field of a form that somebody else describes. */
export interface SchemaField {
  readonly field: string
  readonly title: string
  readonly description?: string
  readonly widget: 'input' | 'number' | 'password' | 'select' | 'switch'
  readonly secret: boolean
  readonly options?: readonly unknown[]
  readonly visible_when?: unknown
  readonly bounds?: Bounds
}

/** Between what a field's value has to be. */
interface Bounds {
  /** Where it has no value, nothing is sent. */
  readonly isRequired?: boolean
  readonly minimum?: number
  readonly maximum?: number
  /** In code points. */
  readonly minLength?: number
  readonly maxLength?: number
}

/** The schema that fields are made of, as far as it bounds them. */
export interface BoundingSchema {
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, Bounds>>
}

/** Fields with what their schema says of their values. */
export function boundBy(fields: readonly SchemaField[], schema: BoundingSchema = {}): readonly SchemaField[] {
  return fields.map((field) => ({
    ...field,
    bounds: { ...schema.properties?.[field.field], isRequired: schema.required?.includes(field.field) === true },
  }))
}

/** Whether a field is asked for, with these values of the others. */
export function isAsked({ visible_when: when }: SchemaField, values: Readonly<Record<string, unknown>>): boolean {
  if (typeof when !== 'object' || when === null) return true
  return Object.entries(when).every(([field, wanted]) => [wanted].flat().includes(values[field]))
}
