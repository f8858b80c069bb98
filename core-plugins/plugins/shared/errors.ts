import type { AppError } from '#kernel'
import { defineError } from '#kernel'

export const PluginNotFoundError = defineError(4046, 'plugin_not_found', 'There is no such plugin')
/** For whoever may list plugins; to everybody else there is no such endpoint. */
export const PluginDisabledError = defineError(4044, 'plugin_is_disabled', 'The plugin is not enabled')
export const PluginRevokedError = defineError(4044, 'plugin_is_revoked', 'The plugin was revoked and does not run')
export const ReadmeNotFoundError = defineError(4040, 'plugin_readme_not_found', '{name} has no README')
export const OperationNotFoundError = defineError(4040, 'plugin_operation_not_found', 'There is no such operation')
export const OperationInProgressError = defineError(
  4092,
  'operation_in_progress',
  'Another operation on this plugin is running: {operation}',
)
export const OperationTakenOverError = defineError(
  4090,
  'plugin_operation_taken_over',
  'Another host took the operation over',
)
export const OperationInterruptedError = defineError(
  5030,
  'plugin_operation_interrupted',
  'The host died at the step {step}, and nothing of it was kept',
)
export const OperationSupersededError = defineError(
  4090,
  'plugin_operation_superseded',
  'The plugin was removed before it had ended',
)
export const OperationLeftError = defineError(
  5030,
  'plugin_operation_left',
  'This host stops before the operation has ended: another one goes on with it',
)
export const OperationOvertakenError = defineError(
  4090,
  'plugin_operation_overtaken',
  'Something else was done to the plugin before it had ended',
)
export const OperationCancelledError = defineError(
  4090,
  'plugin_operation_cancelled',
  'It was called off before anything was changed',
)
export const OperationNotCancellableError = defineError(
  4094,
  'plugin_operation_not_cancellable',
  'It has ended, or gone too far to be called off',
)
export const ReleaseInstalledError = defineError(
  4091,
  'plugin_release_installed',
  'Version {version} of {name} is installed already',
)
export const PluginInstalledError = defineError(
  4094,
  'plugin_installed',
  '{name} is installed in version {version}: upgrade it',
)
export const PluginNewerInstalledError = defineError(
  4094,
  'plugin_newer_installed',
  '{name} is installed in the newer version {version}: roll it back to have an older one',
)
export const ReleaseChangedError = defineError(
  4094,
  'plugin_release_changed',
  'Version {version} of {name} is installed with other contents: a change needs a higher version',
)
export const PluginStatusError = defineError(4094, 'plugin_status', 'This is not possible while the plugin is {status}')
export const ConsentOutdatedError = defineError(
  4094,
  'plugin_consent_outdated',
  'The consent is for something else than what the plugin asks for now',
)
export const PluginMigrationFailedError = defineError(
  4009,
  'plugin_migration_failed',
  'The database refuses the migration {migration}: {why}',
)
export const PluginMigrationTooLargeError = defineError(
  4009,
  'plugin_migration_too_large',
  'The migration {migration} would make the tables of the plugin larger than {megabytes} MB, and nothing of it was kept',
)
export const PluginRequiredError = defineError(4095, 'plugin_required', 'Other plugins need it: uninstall them first')
export const PluginIncompatibleError = defineError(4009, 'plugin_incompatible', 'The plugin does not fit this platform')
export const PluginNotAssignableError = defineError(
  4002,
  'plugin_not_assignable',
  'A plugin of scope platform is not assigned to tenants',
)
export const CapabilityNotOptionalError = defineError(
  4002,
  'plugin_capability_not_optional',
  '{capability} is not an optional capability of the plugin',
)
export const PluginBrokenError = defineError(5008, 'plugin_broken', 'The plugin cannot be loaded: {why}')
export const UpgradeUndoneError = defineError(
  5008,
  'plugin_upgrade_undone',
  'The upgrade failed, and version {version} takes its place again: {why}',
)
export const HostBehindError = defineError(
  5030,
  'plugin_host_behind',
  'The host {host} does not follow: the operation goes on when it does',
)
export const PluginNotStartedError = defineError(
  5030,
  'plugin_not_started',
  'No host can start the plugin at the moment: {why}',
)
export const ReleaseUnavailableError = defineError(
  5030,
  'plugin_release_unavailable',
  'The package of {release} cannot be read from the storage at the moment',
)
export const EventsNotTakenError = defineError(
  5030,
  'plugin_events_not_taken',
  'Events of plugins are not taken at the moment',
)
export const JobsNotTakenError = defineError(
  5030,
  'plugin_jobs_not_taken',
  'Jobs of plugins are not taken at the moment',
)
export const ServiceFailedError = defineError(
  5024,
  'plugin_service_failed',
  'The other plugin did not answer as it should',
)
export const NoIndexError = defineError(
  4009,
  'plugin_no_index',
  'There is no index source to take the package from: upload it',
)
export const PluginMigrationsChangedError = defineError(
  4009,
  'plugin_migrations_changed',
  'The migration {migration} was applied already, and the package has another one or none in its place',
)
export const PluginMigrationOneWayError = defineError(
  4094,
  'plugin_migration_one_way',
  'The migration {migration} cannot be taken back: it has no down file',
)
export const PluginTablesBusyError = defineError(
  4090,
  'plugin_tables_busy',
  'The tables of the plugin are in use: try again',
)
export const TrustTooLowError = defineError(
  4009,
  'plugin_trust_too_low',
  '{name} is trusted as {trust}, and {least} is demanded',
)
export const PluginNotAllowedError = defineError(
  4009,
  'plugin_not_allowed',
  'The lists of this site do not let {name} in',
)

/** Whether a committed operation is over with this error: another attempt would come to the same. */
export function endsOperation(error: unknown): error is AppError {
  return error instanceof PluginBrokenError || error instanceof UpgradeUndoneError
}
export const LicenseRequiredError = defineError(4038, 'license_required', 'The plugin is not licensed for this')
export const NoLicencesError = defineError(5030, 'plugin_licences_not_kept', 'Nobody keeps licences of plugins now')
