import type { Preference } from '../api/me.ts'
import { session } from '../session/session.ts'

/** Whether somebody can type or choose it; objects are what pages keep by themselves, and agents are for those who have some. */
export function isTyped({ key, schema }: Preference): boolean {
  if (key === 'default_agent_id') return session.state.scope === 'tenant' && session.can('user_agent:list')
  if (typeof schema === 'boolean') return false
  return (
    schema.enum !== undefined ||
    [schema.type].flat().some((type) => type === 'string' || type === 'boolean' || type === 'integer')
  )
}
