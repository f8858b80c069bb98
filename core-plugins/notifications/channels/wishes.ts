import type { Preferences } from '../../preferences/contract.ts'
import type { UserRecord } from '../../users/contract.ts'
import { quietUntil, type QuietHours } from './clock.ts'

/** How notifications of a kind reach a user; what is left out is as everything else. */
interface Channels {
  readonly app?: boolean
  readonly email?: 'now' | 'digest' | 'off'
  readonly webhook?: boolean
}

interface ChannelPreferences {
  readonly notification_channels: Readonly<Record<string, Channels>>
  readonly notification_muted: readonly string[]
  readonly quiet_hours: QuietHours | null
  readonly email_digest: 'off' | 'daily' | 'weekly'
  readonly locale: string | null
  readonly timezone: string
}

/** What a user wishes of notifications. */
export interface Wishes {
  readonly channels: ChannelPreferences['notification_channels']
  readonly muted: readonly string[]
  readonly quietHours: QuietHours | null
  readonly digest: ChannelPreferences['email_digest']
  readonly locale: string | null
  readonly timezone: string
}

/** The ways that one notification takes. */
export interface Ways {
  readonly isMuted: boolean
  readonly app: boolean
  readonly email: 'now' | 'digest' | 'off'
  readonly webhook: boolean
  /** Until then nothing leaves and nothing rings. */
  readonly quietUntil: Date | undefined
}

/** What of a notification its ways depend on. */
interface Kind {
  readonly kind: string
  readonly source: string
  readonly isUrgent: boolean
}

const keys = [
  ...(['notification_channels', 'notification_muted', 'quiet_hours', 'email_digest', 'locale', 'timezone'] as const),
]
const usual: Required<Channels> = { app: true, email: 'digest', webhook: true }

/** What somebody wishes; language and time zone are those of the profile, else the preferred ones. */
export async function wishesOf(
  { tenantId, id: userId, locale, timezone }: UserRecord,
  preferences: Preferences,
): Promise<Wishes> {
  const chosen = await preferences.getMany<ChannelPreferences>(keys, { tenantId, userId })
  return {
    channels: chosen.notification_channels,
    muted: chosen.notification_muted,
    quietHours: chosen.quiet_hours,
    digest: chosen.email_digest,
    locale: locale ?? chosen.locale,
    timezone: timezone ?? chosen.timezone,
  }
}

/** The ways of one notification: its kind's, else its source's, else everything's. What is urgent is always shown, and at any hour. */
export function waysOf(wishes: Wishes, { kind, source, isUrgent }: Kind, now: Date): Ways {
  const { app, email, webhook } = channelsOf(wishes, kind, source)
  const isDigestOff = email === 'digest' && wishes.digest === 'off'
  return {
    isMuted: !isUrgent && wishes.muted.some((muted) => muted === kind || muted === source || muted === '*'),
    app: app || isUrgent,
    email: isDigestOff ? 'off' : email === 'digest' && isUrgent ? 'now' : email,
    webhook,
    quietUntil: isUrgent ? undefined : quietUntil(wishes.quietHours, wishes.timezone, now),
  }
}

function channelsOf({ channels }: Wishes, kind: string, source: string): Required<Channels> {
  return { ...usual, ...channels['*'], ...channels[source], ...channels[kind] }
}
