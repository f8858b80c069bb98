/** What this plugin says, in English; its errors say it themselves. */
export const english = {
  'plugin.title': 'Notifications',
  'plugin.description': 'Messages to users, shown in the console',
  admin_notify: 'Announcements',
  'preference.channels': 'Ways of notifications, by kind',
  'preference.muted': 'Muted notifications',
  'preference.quiet_hours': 'Quiet hours',
  'notice.delivery_email': 'How e-mail is sent was changed',
  'notice.delivery_sms': 'How text messages are sent was changed',
  'notice.delivery_link': 'Links in messages lead elsewhere now',
  'notice.delivery_by': 'Links to reset passwords take the new way from now on. Changed by: {by}',
  'notice.delivery_by_platform': 'Links to reset passwords take the new way from now on. Changed by: the platform',
}
