import { defineError } from '#kernel'

/** A field that is well formed and yet cannot be: its faults stand in `errors`. */
export const AiLedgerParamsInvalidError = defineError(
  4229,
  'ai_ledger_params_invalid',
  'Something in the request cannot be',
)
export const ApiKeyInvalidError = defineError(4019, 'api_key_invalid', 'The API key is not valid')
export const ApiKeyExpiredError = defineError(4019, 'api_key_expired', 'The API key has expired')
export const ApiKeyAddressError = defineError(4019, 'api_key_address', 'The API key is not for calls from this address')
export const QuotaNotFoundError = defineError(4040, 'quota_not_found', 'There is no such quota')
export const ApiKeyNotFoundError = defineError(4040, 'api_key_not_found', 'There is no such API key')
export const QuotaIsPlatformsError = defineError(
  4031,
  'quota_is_platforms',
  'The platform set this quota: only the platform changes it',
)
export const ReportNotFoundError = defineError(4040, 'ai_report_not_found', 'There is no such report')
