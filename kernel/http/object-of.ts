import type { JSONSchema } from 'json-schema-to-ts'

type Properties = Readonly<Record<string, JSONSchema>>
type None = Readonly<Record<never, never>>

interface ObjectOf<R, O> {
  readonly type: 'object'
  readonly required: readonly (keyof R & string)[]
  readonly properties: R & O
}
type OrNull<S extends { readonly type: string }> = {
  readonly [K in keyof S]: K extends 'type' ? readonly [S['type'], 'null'] : S[K]
}

/** The schema of an object that always has the first of these, and at times the others. */
export function objectOf<const R extends Properties, const O extends Properties = None>(
  always: R,
  atTimes?: O,
): ObjectOf<R, O> {
  const required = Object.keys(always) as (keyof R & string)[]
  return { type: 'object', required, properties: { ...always, ...atTimes } as R & O }
}

/** The same schema for what may also be null. */
export function orNull<const S extends { readonly type: string }>(schema: S): OrNull<S> {
  return { ...schema, type: [schema.type, 'null'] } as OrNull<S>
}
