/** What this plugin says, in English; its errors say it themselves. */
export const english = {
  'plugin.title': 'Attachments',
  'plugin.description': 'Files of users and tenants: upload, access, images',
}
