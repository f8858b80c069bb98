import { responseMismatch } from '../programming-errors.ts'
import { Reply } from './reply.ts'
import type { Route } from './route.ts'
import { compileSchemaCheck } from './schema-check.ts'

/** A check that throws where a success answer does not fit its route's schema; for tests. */
export function compileResponseCheck(
  route: Route,
  name: string,
  when: 'lazily' | 'at-once',
): ((value: unknown) => void) | undefined {
  const schema = route.schema?.response
  if (schema === undefined) return undefined
  const check = compileSchemaCheck(schema, 'exact', when)
  return (value) => {
    const text = dataText(value)
    if (text === undefined) return
    const data: unknown = JSON.parse(text)
    if (check.isValid(data)) return
    const faults = check.explain(data, 'en').map(({ field, message }) => `${field || 'data'} ${message}`)
    throw responseMismatch(name, faults.join('; '))
  }
}

/** What goes out as the wrapped data, as JSON; nothing of answers that are not wrapped. */
function dataText(value: unknown): string | undefined {
  if (!(value instanceof Reply)) return JSON.stringify(value ?? null)
  if (value.body.kind === 'data') return JSON.stringify(value.body.data ?? null)
  return value.body.kind === 'json-text' ? value.body.text : undefined
}
