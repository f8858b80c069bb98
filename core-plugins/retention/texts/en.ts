/** What this plugin says, in English; its errors say it themselves. */
export const english = {
  platform_audit: 'Audit',
  audit_retention_days: 'Life of a line of the log',
  'plugin.title': 'Retention of the audit log',
  'plugin.description': 'Deletes old lines of the audit log',
}
