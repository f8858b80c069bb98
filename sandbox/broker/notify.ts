import type { RateLimiter } from '#kernel'
import { pluginHash8 } from '../manifest/names.ts'
import type { PluginManifest } from '../manifest/plugin-manifest.ts'
import { optionalTextOf, textOf, userIdOf } from './argument.ts'
import type { Argument, CallContext, CapabilityOperations } from './capability.ts'
import { ownLinks } from './own-link.ts'
import { badArgument, Refusal } from './refusal.ts'
import type { Provider } from './provider.ts'
import type { TestNotification } from '../capabilities/platform.ts'

const perMinute = 30
const maxTitle = 200
const maxBody = 2_000
const levels: readonly GuestMessage['level'][] = ['info', 'success', 'warning', 'error']

/** A message of a plugin to one user, checked for its form. */
interface GuestMessage {
  readonly plugin: string
  /** Whose user it is; 0 = the platform's administrators. */
  readonly tenantId: number
  readonly userId: number
  readonly title: string
  readonly body: string
  readonly level: 'info' | 'success' | 'warning' | 'error'
  /** A page of the plugin's in the console, or null. */
  readonly link: string | null
}

/** What of the platform notifies users. */
export interface NotifyServices {
  /** Answers the id of the notification; throws 404/4040 when the tenant has no such user. */
  readonly notify: (message: GuestMessage) => Promise<string>
}

/** Notifications; in a test every user exists. */
export const notify: Provider<NotifyServices> = {
  create: ({ services: { limiter, notify }, manifest }) => createNotifyCapability({ manifest, limiter, notify }),
  fake() {
    const notified: TestNotification[] = []
    const note = ({ tenantId, userId, title, body, level, link }: GuestMessage): Promise<string> =>
      Promise.resolve(`notification-${notified.push({ tenantId, userId, title, body, level, link })}`)
    return { services: { notify: note }, seen: { notified } }
  },
}

/** What the capability works with. */
interface NotifyCapabilityOptions {
  readonly manifest: PluginManifest
  readonly limiter: RateLimiter
  readonly notify: NotifyServices['notify']
}

/** Messages to users of the call's tenant; a call of the platform reaches its administrators only. */
function createNotifyCapability({ manifest, limiter, notify }: NotifyCapabilityOptions): CapabilityOperations {
  const linkOf = ownLinks(manifest)

  async function send(argument: Argument, { plugin, tenantId }: CallContext): Promise<unknown> {
    const message: GuestMessage = {
      plugin,
      tenantId,
      userId: userIdOf(argument, 'userId'),
      title: boundedTextOf(argument, 'title', maxTitle),
      body: argument['body'] === undefined ? '' : boundedTextOf(argument, 'body', maxBody),
      level: levelOf(argument),
      link: linkOf(argument),
    }
    const { allowed } = await limiter.hit(`plg:${pluginHash8(plugin)}:notify:${tenantId}`, perMinute, 60)
    if (!allowed) throw new Refusal('rate_limited', 'notify_rate', `${perMinute} notifications a minute can be sent`)
    return { id: await notify(message) }
  }

  return { capability: 'notify', operations: { 'notify.send': send } }
}

function boundedTextOf(argument: Argument, name: string, most: number): string {
  const text = textOf(argument, name)
  if ([...text].length > most)
    throw new Refusal('invalid', `${name}_too_long`, `${name} has at most ${most} characters`)
  return text
}

function levelOf(argument: Argument): GuestMessage['level'] {
  const asked = optionalTextOf(argument, 'level') ?? 'info'
  const level = levels.find((known) => known === asked)
  if (level === undefined) throw badArgument(`level must be one of ${levels.join(', ')}`)
  return level
}
