import type { Knex } from 'knex'
import { defineEvent, defineService, type Said } from '#kernel'

/** How much a notification matters. */
export type NotificationLevel = 'info' | 'success' | 'warning' | 'error'

/** A message to one user, as it is sent. */
export interface NewNotification {
  /** 0 = the platform, whose users are its administrators. */
  readonly tenantId: number
  readonly userId: number
  /** Plain text, 200 characters at most; one that is kept is told in the language of who reads it. */
  readonly title: string | Said
  /** Plain text, 2,000 characters at most; empty unless said otherwise. */
  readonly body?: string | Said
  /** `info` unless said otherwise. */
  readonly level?: NotificationLevel
  /** A path of the console to go to. */
  readonly link?: string | null
  /** Who says it: a core plugin's name, or `plugin.<name>`. */
  readonly source: string
  /** What users choose by how it reaches them: `<source>.<what>`; the source alone unless said otherwise. */
  readonly kind?: string
  /** It keeps to no quiet hours, and cannot be muted. */
  readonly isUrgent?: boolean
}

/** Sends messages that users find in the console. */
export interface Notifier {
  /**
   * Keeps the notification, tells who listens, and has it sent on by the ways that its reader wants; answers its id, which is nothing's
   * where the reader muted it. Throws 404/4040 when the tenant has no such user.
   */
  send(notification: NewNotification): Promise<string>
}

/** Sends messages that users find in the console. */
export const notifier = defineService<Notifier>('notifications.notifier')

/** An e-mail of a plugin to a user, in every language that it has. */
export interface PluginMail {
  readonly plugin: string
  /** What users can switch off by itself, as `plugin.<plugin>.<template>`. */
  readonly template: string
  /** 0 = the platform, whose users are its administrators. */
  readonly tenantId: number
  /** A user of that tenant, or whoever owns it. */
  readonly to: number | 'owner'
  /** By language, `default` among them. */
  readonly subject: Readonly<Record<string, string>>
  /** At most 20 paragraphs of text, by language. */
  readonly body: Readonly<Record<string, readonly string[]>>
  /** A path of the console to go to. */
  readonly link: string | null
}

/** Sends e-mails of plugins. */
export interface PluginMailer {
  /**
   * Resolves when it is queued; for a reader who muted the plugin, switched its e-mails off or has no address nothing is. In quiet hours it
   * waits for their end. Throws 404/4040 when the tenant has no such user, 429/4290 beyond 20 an hour of one plugin to one user.
   */
  send(mail: PluginMail): Promise<void>
  /** Takes back what of a plugin waits for the end of quiet hours, for an uninstall; answers how many there were. */
  withdraw(plugin: string, trx: Knex.Transaction): Promise<number>
}

/** Sends e-mails of plugins. */
export const pluginMailer = defineService<PluginMailer>('notifications.plugin_mailer')

/** A user got a notification; whoever must not lose it hears it within its transaction. */
export const notificationsCreated = defineEvent<{
  readonly tenantId: number
  readonly userId: number
  readonly id: string
  readonly title: string
  readonly body: string
  readonly level: NotificationLevel
  readonly link: string | null
  readonly source: string
  readonly kind: string
  /** Whether it stands in the list of the console. */
  readonly isShown: boolean
  /** Whether it came in its reader's quiet hours: nothing rings. */
  readonly isQuiet: boolean
  /** When it leaves for the reader's own web hooks, ISO 8601; null where it does not. */
  readonly webhookAt: string | null
}>('notifications.created')

/** Something is announced from now on, by the platform (tenant 0) or a tenant. */
export const notificationsAnnounced = defineEvent<{
  readonly tenantId: number
  readonly id: string
  readonly level: NotificationLevel
  /** Whose users may be concerned. */
  readonly tenants: 'all' | readonly number[]
  /** Of which those are who hold one of these roles; everybody where there is none. */
  readonly roles: readonly string[]
  /** Whether the platform's staff is. */
  readonly staff: boolean
}>('notifications.announced')

/** A user read or deleted one notification that was unread, or with null read all of them. */
export const notificationsRead = defineEvent<{
  readonly tenantId: number
  readonly userId: number
  readonly id: string | null
}>('notifications.read')
