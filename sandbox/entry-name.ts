import type { PluginManifest } from './manifest/plugin-manifest.ts'
import type { CallTarget } from './wire/call.ts'

const mostNamed = 3

/** What of the manifest leads to a function of the plugin, in its author's words: `POST /notes`, `job import`, `tool lookup`. */
export function entryName(manifest: PluginManifest, { kind, name }: CallTarget): string {
  const found = findEntries(manifest, kind, name)
  if (found.length === 0) return `${kind} ${name}`
  return found.slice(0, mostNamed).join(' / ') + (found.length > mostNamed ? ' / …' : '')
}

function findEntries(manifest: PluginManifest, kind: CallTarget['kind'], handler: string): readonly string[] {
  const { jobs = [], schedules = [], provides = {} } = manifest
  const isIt = (declared: { readonly handler: string }): boolean => declared.handler === handler
  switch (kind) {
    case 'handler': {
      const { tenant_routes = [], admin_routes = [], public_routes = [] } = manifest
      const routes = [...tenant_routes, ...admin_routes, ...public_routes].filter(isIt)
      return [...new Set(routes.map(({ method, path }) => `${method} ${path}`))]
    }
    case 'job':
      return jobs.filter(isIt).map(({ name }) => `job ${name}`)
    case 'schedule':
      return schedules.filter(isIt).map(({ id }) => `schedule ${id}`)
    case 'tool':
      return (provides.aiTools ?? []).filter(isIt).map(({ name }) => `tool ${name}`)
    case 'service':
      return (provides.services ?? []).flatMap(({ name, methods }) =>
        methods.filter(isIt).map((method) => `service ${name}.${method.name}`),
      )
    default:
      return []
  }
}
