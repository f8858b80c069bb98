import { defineError } from '#kernel'

export const NoPreviousReleaseError = defineError(
  4094,
  'plugin_no_previous_release',
  'There is no earlier release to go back to; what a backup has comes back with POST …/backups/<name>/restore',
)
export const BackupWithoutPluginError = defineError(
  4094,
  'plugin_backup_without_plugin',
  'The backup is of version {version} of {name}, which is not installed: install it first',
)
export const ReleaseNotKeptError = defineError(
  4040,
  'plugin_release_not_kept',
  'Version {version} of {name} is not kept here',
)
export const ReleaseActiveError = defineError(
  4094,
  'plugin_release_active',
  'Version {version} is the one in use: only its data can be restored',
)
export const ReleaseNotInUseError = defineError(
  4094,
  'plugin_release_not_in_use',
  'The release that was to be taken back is not in use any more',
)
export const ReleaseNewerError = defineError(
  4094,
  'plugin_release_newer',
  'Version {version} is newer than {active}: use the upgrade to get there',
)
export const ReleaseNotGrantedError = defineError(
  4094,
  'plugin_release_not_granted',
  'Version {version} asks for rights that nobody granted it',
)
export const SchemaDiffersError = defineError(
  4094,
  'plugin_rollback_schema_differs',
  'The tables are not those of version {version}: the data cannot stay as it is',
)
export const OneWayMigrationError = defineError(
  4094,
  'plugin_rollback_one_way',
  'The migration {migration} cannot be taken back',
)
export const RollbackLosesRowsError = defineError(
  4094,
  'plugin_rollback_loses_rows',
  'Only a restore leads back, and loses {rows} rows: confirm it',
)
export const NoBackupError = defineError(
  4094,
  'plugin_rollback_no_backup',
  'There is no backup of version {version} to restore',
)
