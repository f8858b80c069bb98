import { defineError } from '#kernel'

export const LicenseNotFoundError = defineError(4040, 'plugin_license_not_found', 'There is no licence to be revoked')
export const LicenseSeatsError = defineError(
  4002,
  'plugin_license_seats',
  'The licence is for {seats} tenants, and {wanted} would use it',
)
export const LicensedAlreadyError = defineError(
  4094,
  'plugin_licensed',
  'Who has or had a licence cannot begin a trial',
)
export const TrialUsedError = defineError(4094, 'plugin_trial_used', 'There was a trial before: it begins once')
export const TrialNotOfferedError = defineError(4002, 'plugin_trial_not_offered', 'The plugin offers no trial')
