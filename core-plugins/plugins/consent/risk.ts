import { diffManifests, type ConsentItem, type PluginManifest } from '#sandbox'

/** How far a right reaches: within the plugin, outside of it, or into what is everybody's. */
export type Risk = 'harmless' | 'outside' | 'far'

const outside: ReadonlySet<string> = new Set(['http', 'notify', 'mail', 'ai:invoke', 'captcha'])
const far: ReadonlySet<string> = new Set(['http:any', 'storage:driver', 'ai:provider'])

/** How far an item of a consent reaches. */
export function riskOf({ capability }: Pick<ConsentItem, 'capability'>, manifest: PluginManifest): Risk {
  if (far.has(capability)) return 'far'
  if (capability === 'routes') return (manifest.public_routes ?? []).length > 0 ? 'outside' : 'harmless'
  if (capability === 'limits') return raisesLimits(manifest) ? 'far' : 'harmless'
  return outside.has(capability) ? 'outside' : 'harmless'
}

/** Whether it wants more of the platform than a plugin gets unasked, times of its routes and schedules included. */
function raisesLimits(manifest: PluginManifest): boolean {
  const unasked = { limits: {}, admin_routes: [], tenant_routes: [], public_routes: [], schedules: [] }
  return diffManifests({ ...manifest, ...unasked }, manifest).added.some(({ kind }) => kind === 'limit')
}
