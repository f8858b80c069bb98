import { defineError } from '#kernel'

export const PluginPinnedError = defineError(
  4094,
  'plugin_pinned',
  '{name} is pinned to version {version}: unpin it, or say that it may be upgraded all the same',
)
export const ReleaseNotNewerError = defineError(
  4094,
  'plugin_release_not_newer',
  'Version {version} is not newer than {active}: use the rollback to go back',
)
export const TrustLoweredError = defineError(
  4094,
  'plugin_trust_lowered',
  '{name} is trusted as {before}, and version {version} only as {after}: say that this is wanted',
)
export const OtherPluginError = defineError(
  4009,
  'plugin_other_package',
  'The package is of {found}, and {name} is to be upgraded',
)
export const UpgradeStuckError = defineError(
  5008,
  'plugin_upgrade_stuck',
  'The upgrade to version {version} failed and cannot be taken back, so that the plugin is quarantined: {why}',
)
export const NothingPendingError = defineError(4094, 'plugin_nothing_pending', 'No release waits for a consent')
