import { defineError } from '#kernel'

export const BackupRunningError = defineError(4094, 'backup_running', 'A backup of this platform is being made already')
export const NoBackupTargetError = defineError(4094, 'backup_no_target', 'The settings name no place for backups')
