import { defineError } from '#kernel'

export const BackupNotFoundError = defineError(4040, 'plugin_backup_not_found', 'The plugin has no backup {backup}')
export const BackupDamagedError = defineError(
  5003,
  'plugin_backup_damaged',
  'The backup {backup} is damaged: {file} is not what was written',
)
