import { defineError } from '#kernel'

export const SignatureInvalidError = defineError(4032, 'signature_invalid', 'The link is not valid any more')
export const StorageUnavailableError = defineError(4043, 'storage_unavailable', 'The storage {driver} is not available')
export const ObjectKeyInvalidError = defineError(4220, 'object_key_invalid', 'The key of an object {fault}')
export const StorageQuotaExceededError = defineError(4297, 'storage_quota_exceeded', 'There is no room for the object')
export const StorageError = defineError(5003, 'storage_error', 'The storage failed')
