import type { Preference } from '../api/me.ts'

/** Whether somebody can type or choose it; objects are what pages keep by themselves. */
export function isTyped({ schema }: Preference): boolean {
  return (
    schema.enum !== undefined ||
    [schema.type].flat().some((type) => type === 'string' || type === 'boolean' || type === 'integer')
  )
}
