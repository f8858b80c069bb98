/** How far a right reaches. */
export type RightClass = 'harmless' | 'outside' | 'far'

const outside = new Set(['http', 'notify', 'mail', 'ai:invoke', 'routes', 'captcha'])
const far = new Set(['http:any', 'storage:driver', 'ai:provider', 'db:read', 'users:read'])

/** How far a capability reaches: within the plugin, outside of it, or into what is everybody's. */
export function classOfRight(capability: string, detail: Readonly<Record<string, unknown>>): RightClass {
  if (far.has(capability)) return 'far'
  if (capability === 'routes')
    return (detail['public'] as readonly unknown[] | undefined)?.length ? 'outside' : 'harmless'
  return outside.has(capability) ? 'outside' : 'harmless'
}
