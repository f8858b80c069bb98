import type { FieldError } from '../errors.ts'
import type { Route, Schema } from './route.ts'

/** As many are named as a mistaken caller may have sent; the rest is flood. */
const mostNamed = 20

/**
 * The parameters that a list, or whatever else is read by parameters, knows: those that its schema names, and none where the answer
 * has `items` without a schema of the query. Whoever filters by a name that nobody knows would take everything for what was
 * asked for. Undefined for other routes, which look at no parameters.
 */
export function listParameters({ method, schema: { query, response } = {} }: Route): readonly string[] | undefined {
  if (method !== 'get') return undefined
  if (typeof query === 'object')
    return query.additionalProperties === true ? undefined : Object.keys(query.properties ?? {})
  return hasItems(response) ? [] : undefined
}

/** A fault for each parameter that a list does not know, with those that it knows. */
export function unknownParameters(
  query: Readonly<Record<string, unknown>>,
  known: readonly string[],
): readonly FieldError[] {
  const unknown = Object.keys(query).filter((name) => !known.includes(name))
  return unknown.slice(0, mostNamed).map((field) => {
    return { field, rule: 'unknown_field', message: 'is not known here', params: { known } }
  })
}

function hasItems(response: Schema | undefined): boolean {
  return typeof response === 'object' && response.properties?.['items'] !== undefined
}
