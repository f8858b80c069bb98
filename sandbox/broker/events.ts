import type { RateLimiter } from '#kernel'
import { pluginHash8 } from '../manifest/names.ts'
import type { PluginManifest } from '../manifest/plugin-manifest.ts'
import type { Grants } from '../grants.ts'
import { textOf } from './argument.ts'
import type { Argument, CallContext, CapabilityOperations } from './capability.ts'
import { Refusal } from './refusal.ts'
import type { Provider } from './provider.ts'
import type { TestEvent } from '../capabilities/own-data.ts'

/** An event that a guest published, on its way to the subscribers. */
export interface PublishedEvent {
  readonly plugin: string
  readonly type: string
  /** 0 = the platform. */
  readonly tenantId: number
  readonly payload: unknown
  /** How many events in a row led to this one; 1 for the first. */
  readonly hop: number
  readonly traceId: string
}

/** What of the platform brings events to their listeners. */
export interface EventsServices {
  /** Resolves when the event is safely queued; throws an AppError of the 429 family when a queue is full. */
  readonly publish: (event: PublishedEvent) => Promise<void>
}

/** The events that a plugin publishes; in a test nobody hears them. */
export const events: Provider<EventsServices> = {
  create: ({ services: { limiter, publish }, manifest, grants }) =>
    createEventsCapability({ manifest, grants, limiter, publish }),
  fake() {
    const published: TestEvent[] = []
    const publish = ({ type, payload, tenantId }: PublishedEvent): Promise<void> =>
      Promise.resolve(void published.push({ type, payload, tenantId }))
    return { services: { publish }, seen: { published } }
  },
}

/** What the capability works with. */
interface EventsCapabilityOptions {
  readonly manifest: PluginManifest
  readonly grants: Grants
  readonly limiter: RateLimiter
  readonly publish: EventsServices['publish']
}

/** Publishing in the plugin's own namespace; hearing is declared in the manifest and needs no operation. */
export function createEventsCapability({
  manifest,
  grants,
  limiter,
  publish,
}: EventsCapabilityOptions): CapabilityOperations {
  const granted = new Set(grants.publish)
  const names = new Set(
    (manifest.events?.publish ?? []).filter((type) => granted.has(type) && type.startsWith(`${manifest.name}.`)),
  )

  async function send(argument: Argument, call: CallContext): Promise<void> {
    const { plugin, tenantId, limits, traceId } = call
    const type = textOf(argument, 'type')
    if (!names.has(type)) throw new Refusal('forbidden', 'event_not_granted', 'This event was not declared and granted')
    const payload = argument['payload'] ?? null
    if (Buffer.byteLength(JSON.stringify(payload)) > limits.eventBytes) {
      throw new Refusal('invalid', 'event_too_large', `An event has at most ${limits.eventBytes} bytes`)
    }
    const hop = call.hop + 1
    if (hop > limits.eventHops) {
      throw new Refusal('conflict', 'event_loop', `Events led to events more than ${limits.eventHops} times in a row`)
    }
    const { allowed } = await limiter.hit(`plg:${pluginHash8(plugin)}:events:${tenantId}`, limits.eventsPerMinute, 60)
    if (!allowed) {
      throw new Refusal('rate_limited', 'event_rate', `${limits.eventsPerMinute} events a minute can be published`)
    }
    await publish({ plugin, type, tenantId, payload, hop, traceId })
    call.usage.add('events')
  }

  return { capability: 'events', operations: { 'events.publish': send } }
}
