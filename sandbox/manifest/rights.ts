import { sandboxLimits, type LimitName } from '../limits.ts'
import type { PluginManifest } from './plugin-manifest.ts'
import { routeShape } from './rules/routes.ts'

/** The kinds of right a manifest asks for. */
export type RightKind =
  'capability' | 'host' | 'service' | 'public_route' | 'subscription' | 'table' | 'limit' | 'slot' | 'licensing'

/** One right in its smallest part, so that two manifests can be compared right by right. */
export interface Right {
  readonly kind: RightKind
  /** The same right in another manifest has the same detail. */
  readonly detail: string
  /** How much of it, for limits; more of it is wider. */
  readonly amount?: number
  readonly reason?: string
}

const limitFields = ['memoryMb', 'cpuMs', 'wallMs', 'concurrency'] as const satisfies readonly LimitName[]

/** Every right that a manifest asks for. */
export function listRights(manifest: PluginManifest): Right[] {
  const { reasons = {}, storage, limits = {} } = manifest
  const because = (capability: string) => (reasons[capability] === undefined ? {} : { reason: reasons[capability] })
  const asked = [...manifest.capabilities, ...(manifest.optionalCapabilities ?? [])]
  const slots = new Set((manifest.slots ?? []).map(({ slot, area = 'tenant' }) => `${area} ${slot}`))
  return [
    ...asked.map((capability): Right => ({ kind: 'capability', detail: capability, ...because(capability) })),
    ...hostRights(manifest),
    ...(manifest.public_routes ?? []).map(({ method, path }): Right => ({
      kind: 'public_route',
      detail: `${method} ${routeShape(path)}`,
    })),
    ...(manifest.events?.subscribe ?? []).map((type): Right => ({
      kind: 'subscription',
      detail: type,
      ...because('events'),
    })),
    ...(manifest.db?.tables ?? []).map((table): Right => ({
      kind: 'table',
      detail: table,
      ...because('db:own_tables'),
    })),
    ...Object.entries(manifest.uses ?? {}).map(([service, range]): Right => ({
      kind: 'service',
      detail: `${service} ${range}`,
      ...because('services:use'),
    })),
    ...[...slots].map((slot): Right => ({ kind: 'slot', detail: slot, ...because('ui') })),
    ...limitFields.map((name): Right => ({
      kind: 'limit',
      detail: name,
      amount: limits[name] ?? sandboxLimits[name].default,
    })),
    ...(asked.includes('storage') ? storageLimits(storage, because('storage')) : []),
    ...(asked.includes('mail') ? [mailLimit(manifest, because('mail'))] : []),
    ...timeLimits(manifest),
    // What was free and costs money from now on stops wherever nobody pays: nobody comes into that by an upgrade unasked.
    ...(manifest.licensing?.type === 'commercial' ? [{ kind: 'licensing', detail: 'commercial' } as const] : []),
  ]
}

/** One right for each method on each port of each host. */
function hostRights({ http, reasons = {} }: PluginManifest): Right[] {
  return (http?.hosts ?? []).flatMap(({ host, ports = [443], methods = ['GET'], reason = reasons['http'] }) =>
    ports.flatMap((port) =>
      methods.map((method): Right => {
        const detail = `${method} ${host}:${port}`
        return reason === undefined ? { kind: 'host', detail } : { kind: 'host', detail, reason }
      }),
    ),
  )
}

function storageLimits(storage: PluginManifest['storage'], because: { reason?: string }): Right[] {
  const quota = storage?.quotaMb ?? sandboxLimits.storageQuotaMb.default
  const object = storage?.maxObjectMb ?? sandboxLimits.storageObjectMb.default
  return [
    { kind: 'limit', detail: 'storage.quotaMb', amount: quota, ...because },
    { kind: 'limit', detail: 'storage.maxObjectMb', amount: object, ...because },
  ]
}

function mailLimit({ mail }: PluginManifest, because: { reason?: string }): Right {
  const amount = mail?.perDay ?? sandboxLimits.mailsPerDay.default
  return { kind: 'limit', detail: 'mail.perDay', amount, ...because }
}

/** The longest that its routes and schedules may run, where that is more than it would get unasked. */
function timeLimits({
  schedules = [],
  admin_routes = [],
  tenant_routes = [],
  public_routes = [],
}: PluginManifest): Right[] {
  const most = (name: string, asked: readonly (number | undefined)[], unasked: number): Right => ({
    kind: 'limit',
    detail: name,
    amount: Math.max(unasked, ...asked.map((value) => value ?? 0)),
  })
  const routes = [...admin_routes, ...tenant_routes, ...public_routes]
  return [
    most(
      'routes.timeoutMs',
      routes.map(({ timeoutMs }) => timeoutMs),
      sandboxLimits.wallMs.default,
    ),
    most(
      'schedules.timeoutMs',
      schedules.map(({ timeoutMs }) => timeoutMs),
      sandboxLimits.scheduleWallMs.default,
    ),
  ]
}
