import { diffManifests, type DiffEntry, type PluginManifest } from '#sandbox'
import type { PackageFile } from '../package/tree.ts'

/** What of a release is compared. */
interface ComparedRelease {
  readonly manifest: PluginManifest
  readonly files: readonly PackageFile[]
  /** The size of its zip in bytes. */
  readonly size: number
}

/** A route that came, went or asks for another permission now. */
interface RouteChange {
  readonly area: 'admin' | 'tenant' | 'public'
  readonly route: string
  readonly change: 'added' | 'removed' | 'permission'
  /** The permission before and after; null is none. */
  readonly before: string | null
  readonly after: string | null
}

/** A service, or a method `acme.crm/contacts.find` of it, that came, went or has another version. */
interface ServiceChange {
  readonly service: string
  /** The version before and after, a method that of its service; null where it is not. */
  readonly before: string | null
  readonly after: string | null
}

/** A file that came, went or has other bytes; sizes in bytes, null where it is not. */
interface FileChange {
  readonly path: string
  readonly before: number | null
  readonly after: number | null
}

/** What is different between two releases of a plugin. */
export interface ReleaseComparison {
  readonly name: string
  readonly from: string
  readonly to: string
  /** `wider` asks an administrator before the upgrade; the others do not. */
  readonly change: 'none' | 'narrower' | 'wider'
  /** Capabilities, hosts, public routes, subscriptions, tables, limits and slots. */
  readonly added: readonly DiffEntry[]
  readonly removed: readonly DiffEntry[]
  readonly routes: readonly RouteChange[]
  /** What it does for other plugins. */
  readonly services: readonly ServiceChange[]
  readonly files: readonly FileChange[]
  /** Bytes of the zip before and after. */
  readonly size: { readonly before: number; readonly after: number }
}

/** Compares two releases of one plugin: what they may do, where they can be called, what they are made of. */
export function compareReleases(before: ComparedRelease, after: ComparedRelease): ReleaseComparison {
  const { change, added, removed } = diffManifests(before.manifest, after.manifest)
  return {
    name: after.manifest.name,
    from: before.manifest.version,
    to: after.manifest.version,
    ...{ change, added, removed },
    routes: compareRoutes(before.manifest, after.manifest),
    services: compareServices(before.manifest, after.manifest),
    files: compareFiles(before.files, after.files),
    size: { before: before.size, after: after.size },
  }
}

function compareRoutes(before: PluginManifest, after: PluginManifest): readonly RouteChange[] {
  const [old, now] = [routesOf(before), routesOf(after)]
  const keys = [...new Set([...old.keys(), ...now.keys()])].sort()
  return keys.flatMap((key): readonly RouteChange[] => {
    const [area, route] = splitKey(key)
    const [was, is] = [old.get(key), now.get(key)]
    if (was === is) return []
    const change = was === undefined ? 'added' : is === undefined ? 'removed' : 'permission'
    return [{ area, route, change, before: was ?? null, after: is ?? null }]
  })
}

/** `tenant GET /reports` → its permission; null is none. */
function routesOf(manifest: PluginManifest): ReadonlyMap<string, string | null> {
  const { admin_routes = [], tenant_routes = [], public_routes = [] } = manifest
  return new Map([
    ...admin_routes.map(({ method, path, permission = null }) => [`admin ${method} ${path}`, permission] as const),
    ...tenant_routes.map(({ method, path, permission = null }) => [`tenant ${method} ${path}`, permission] as const),
    ...public_routes.map(({ method, path }) => [`public ${method} ${path}`, null] as const),
  ])
}

/** Methods are told where their service stays. */
function compareServices(before: PluginManifest, after: PluginManifest): readonly ServiceChange[] {
  const [old, now] = [servicesOf(before), servicesOf(after)]
  return [...new Set([...old.keys(), ...now.keys()])].sort().flatMap((name): readonly ServiceChange[] => {
    const [was, is] = [old.get(name), now.get(name)]
    const service = `${after.name}/${name}`
    const changed = { service, before: was?.version ?? null, after: is?.version ?? null }
    const methods = was && is ? [...was.methods.symmetricDifference(is.methods)].sort() : []
    return [
      ...(changed.before === changed.after ? [] : [changed]),
      ...methods.map((method) => ({
        service: `${service}.${method}`,
        before: was?.methods.has(method) ? was.version : null,
        after: is?.methods.has(method) ? is.version : null,
      })),
    ]
  })
}

function servicesOf({ provides: { services = [] } = {} }: PluginManifest) {
  return new Map(
    services.map(({ name, version, methods }) => [
      name,
      { version, methods: new Set(methods.map(({ name }) => name)) },
    ]),
  )
}

function splitKey(key: string): [RouteChange['area'], string] {
  const space = key.indexOf(' ')
  return [key.slice(0, space) as RouteChange['area'], key.slice(space + 1)]
}

function compareFiles(before: readonly PackageFile[], after: readonly PackageFile[]): readonly FileChange[] {
  const old = new Map(before.map((file) => [file.path, file]))
  const now = new Map(after.map((file) => [file.path, file]))
  return [...new Set([...old.keys(), ...now.keys()])].sort().flatMap((path): readonly FileChange[] => {
    const [was, is] = [old.get(path), now.get(path)]
    if (was?.sha256 === is?.sha256) return []
    return [{ path, before: was?.size ?? null, after: is?.size ?? null }]
  })
}
