import type { Fence } from '../mutation.ts'

const announcements = 'test/core-plugins/notifications/announcements.test.ts'
const channels = 'test/core-plugins/notifications/channels.test.ts'
const mails = 'test/core-plugins/notifications/plugin-mail.test.ts'
const list = 'test/core-plugins/notifications/notifications.test.ts'

/** News come to their reader alone, by the ways that the reader wants, and plugins flood nobody. */
export const notifications: Fence = {
  name: 'notifications',
  mutations: [
    {
      name: 'notification-of-a-colleague',
      file: 'core-plugins/notifications/service.ts',
      before: 'NotificationRow.of(tenantId, this.#parts.scope.db).where({ user_id: userId })',
      after: 'NotificationRow.of(tenantId, this.#parts.scope.db).where(userId > 0 ? {} : { user_id: userId })',
      tests: [list],
      why: 'Everybody of a tenant reads and deletes everybody’s notifications.',
    },
    {
      name: 'notifications-pushed-out-by-others',
      file: 'core-plugins/notifications/service.ts',
      before: 'partition by tenant_id, user_id order by',
      after: 'partition by tenant_id order by',
      tests: [list],
      why: 'A user who causes many notifications has warnings of others deleted.',
    },
    {
      name: 'notification-that-reads-backwards',
      file: 'core-plugins/notifications/plain-text.ts',
      before: 'if (deceptive.test(shown) || !text.isWellFormed())',
      after: 'if (!text.isWellFormed())',
      tests: [announcements, list],
      why: 'A text is shown as something else than it is.',
    },
    {
      name: 'notification-urgent-and-muted',
      file: 'core-plugins/notifications/channels/wishes.ts',
      before: 'isMuted: !isUrgent && wishes.muted.some(',
      after: 'isMuted: wishes.muted.some(',
      tests: [channels],
      why: 'Who got into an account mutes what would warn its owner.',
    },
    {
      name: 'notification-mail-to-the-disabled',
      file: 'core-plugins/notifications/channels/mail-way.ts',
      before: "if (user?.status !== 'active' || user.email === null) return undefined",
      after: 'if (!user || user.email === null) return undefined',
      tests: [channels],
      why: 'Somebody who was shut out goes on reading by e-mail what happens.',
    },
    {
      name: 'notification-mails-without-number',
      file: 'core-plugins/notifications/channels/mail-way.ts',
      before: "if (!own.allowed) return 'none'\n",
      after: '',
      tests: [channels],
      why: 'A plugin floods a mailbox from the platform’s address.',
    },
    {
      name: 'notification-mails-of-one-plugin',
      file: 'core-plugins/notifications/channels/mail-way.ts',
      before: "return all.allowed ? 'now' : 'none'",
      after: "return all.allowed || !all.allowed ? 'now' : 'none'",
      tests: ['test/core-plugins/notifications/mail-limits.test.ts'],
      why: 'A plugin sends every user of a tenant as many e-mails as one of them may get.',
    },
    {
      name: 'plugin-mail-to-the-disabled',
      file: 'core-plugins/notifications/channels/plugin-mail.ts',
      before: "if (user.status !== 'active' || user.email === null) return undefined",
      after: 'if (user.email === null) return undefined',
      tests: [mails],
      why: 'Somebody who was shut out goes on reading what plugins write.',
    },
    {
      name: 'plugin-mails-without-number',
      file: 'core-plugins/notifications/channels/plugin-mail.ts',
      before: 'if (!allowed) throw new RateLimitedError()',
      after: 'if (!allowed) return',
      tests: [mails],
      why: 'A plugin floods a mailbox from the platform’s address.',
    },
    {
      name: 'plugin-mail-with-a-link',
      file: 'core-plugins/notifications/channels/plugin-mail.ts',
      before: '[`mail${at + 1}`, defused(paragraph)]',
      after: '[`mail${at + 1}`, defused && paragraph]',
      tests: [mails],
      why: 'A plugin’s words bring a link of somebody else’s into a mail of the platform, or vanish from it.',
    },
    {
      name: 'announcement-without-a-right',
      file: 'core-plugins/notifications/announcements/routes.ts',
      before: "      permission: 'platform_notification:send',\n",
      after: '',
      tests: ['test/core-plugins/whole/routes.test.ts'],
      why: 'Any of the staff speaks to every tenant in the platform’s name.',
    },
    {
      name: 'announcement-for-other-roles',
      file: 'core-plugins/notifications/announcements/service.ts',
      before: 'audience.roles.some((role) => roles.includes(role))',
      after: 'audience.roles.some((role) => roles.length > 0 || roles.includes(role))',
      tests: [announcements],
      why: 'What is said to administrators is read by everybody.',
    },
    {
      name: 'announcement-for-other-tenants',
      file: 'core-plugins/notifications/announcements/service.ts',
      before: "return audience.tenants === 'all' || audience.tenants.includes(tenantId)",
      after: "return audience.tenants === 'all' || audience.tenants.length > 0 || tenantId < 0",
      tests: [announcements],
      why: 'What the platform says to one tenant is read by all.',
    },
    {
      name: 'announcement-before-its-time',
      file: 'core-plugins/notifications/announcements/service.ts',
      before: ".where('starts_at', '<=', now)\n",
      after: '',
      tests: [announcements],
      why: 'What is to be told later is read today.',
    },
  ],
}
