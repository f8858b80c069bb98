import { defineError } from '#kernel'

export const StorageTestFailedError = defineError(
  4002,
  'storage_test_failed',
  'The storage cannot be used with these settings: {step} failed',
)
export const StorageModeError = defineError(4031, 'storage_mode', 'The platform does not leave this choice to tenants')
export const SignatureInvalidError = defineError(4032, 'signature_invalid', 'The link is not valid any more')
export const StorageUnavailableError = defineError(4043, 'storage_unavailable', 'The storage {driver} is not available')
export const StorageDriverNotFoundError = defineError(
  4049,
  'storage_driver_not_found',
  'There is no storage driver of this name',
)
export const ObjectKeyInvalidError = defineError(4220, 'object_key_invalid', 'The key of an object {fault}')
export const StorageConfigInvalidError = defineError(
  4222,
  'storage_config_invalid',
  'Some settings of the storage are not valid',
)
export const StorageQuotaExceededError = defineError(4297, 'storage_quota_exceeded', 'There is no room for the object')
export const StorageError = defineError(5003, 'storage_error', 'The storage failed')
export const StorageUpstreamError = defineError(
  5022,
  'storage_upstream_error',
  'The storage service did not do what it was asked for: {fault}',
)
