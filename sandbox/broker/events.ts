import type { RateLimiter } from '#kernel'
import { pluginHash8 } from '../manifest/names.ts'
import type { PluginManifest } from '../manifest/plugin-manifest.ts'
import type { Grants } from '../grants.ts'
import { recordOf, textOf, userIdOf } from './argument.ts'
import type { Argument, CallContext, CapabilityOperations } from './capability.ts'
import { Refusal } from './refusal.ts'
import type { Provider } from './provider.ts'
import type { TestEvent, TestTold } from '../capabilities/own-data.ts'

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
  /** The one user whose open pages hear it, and nobody else; where it is left out, all who may, and other plugins. */
  readonly userId?: number
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
    const told: TestTold[] = []
    const publish = ({ type, payload, tenantId, userId }: PublishedEvent): Promise<void> => {
      if (userId === undefined) published.push({ type, payload, tenantId })
      else told.push({ type, payload, tenantId, user: userId })
      return Promise.resolve()
    }
    return { services: { publish }, seen: { published, told } }
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

  function eventOf(argument: Argument, mostBytes: number): Pick<PublishedEvent, 'type' | 'payload'> {
    const type = textOf(argument, 'type')
    if (!names.has(type)) throw new Refusal('forbidden', 'event_not_granted', 'This event was not declared and granted')
    const payload = argument['payload'] ?? null
    if (Buffer.byteLength(JSON.stringify(payload)) > mostBytes)
      throw new Refusal('invalid', 'event_too_large', `An event has at most ${mostBytes} bytes`)
    return { type, payload }
  }

  async function send(argument: Argument, call: CallContext): Promise<void> {
    const { plugin, tenantId, limits, traceId } = call
    const event = eventOf(argument, limits.eventBytes)
    const hop = call.hop + 1
    if (hop > limits.eventHops) {
      throw new Refusal('conflict', 'event_loop', `Events led to events more than ${limits.eventHops} times in a row`)
    }
    const { allowed } = await limiter.hit(`plg:${pluginHash8(plugin)}:events:${tenantId}`, limits.eventsPerMinute, 60)
    if (!allowed) {
      throw new Refusal('rate_limited', 'event_rate', `${limits.eventsPerMinute} events a minute can be published`)
    }
    await publish({ plugin, ...event, tenantId, hop, traceId })
    call.usage.add('events')
  }

  /** No plugin hears it, so that it leads to nothing; it is under the calling tenant's name, so that an id of another leads nowhere. */
  async function tell(
    argument: Argument,
    { plugin, tenantId, limits, traceId, hop, usage }: CallContext,
  ): Promise<void> {
    const event = eventOf(argument, limits.toldBytes)
    const userId = userIdOf(recordOf(argument, 'to'), 'user')
    const { allowed } = await limiter.hit(`plg:${pluginHash8(plugin)}:told:${tenantId}`, limits.toldPerMinute, 60)
    if (!allowed)
      throw new Refusal('rate_limited', 'tell_rate', `${limits.toldPerMinute} events a minute can be told to users`)
    await publish({ plugin, ...event, tenantId, userId, hop, traceId })
    usage.add('events')
  }

  return { capability: 'events', operations: { 'events.publish': send, 'events.tell': tell } }
}
