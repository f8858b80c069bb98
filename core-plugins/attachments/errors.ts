import { defineError } from '#kernel'

export const FileRejectedError = defineError(4008, 'file_rejected', 'The file is refused: {fault}')
export const AttachmentSignatureError = defineError(
  4032,
  'attachment_signature_invalid',
  'The link is wrong, was changed, or is not valid any more',
)
export const UploadsDisabledError = defineError(4036, 'uploads_disabled', 'Files cannot be uploaded here')
export const StorageConfigurationError = defineError(
  4043,
  'storage_configuration_unavailable',
  'Storage configuration unavailable',
)
export const UploadNotFoundError = defineError(4045, 'upload_not_found', 'There is no such upload, or not any more')
export const AttachmentNotFoundError = defineError(4045, 'attachment_not_found', 'There is no such attachment')
export const AttachmentInUseError = defineError(4095, 'attachment_in_use', 'The attachment is in use')
export const AttachmentPendingError = defineError(
  4094,
  'attachment_pending',
  'The attachment is still being looked at by the virus scanner',
)
export const AttachmentQuarantinedError = defineError(4094, 'attachment_quarantined', 'The attachment is quarantined')
export const UploadConflictError = defineError(4098, 'upload_conflict', 'This does not fit the upload: {fault}')
export const TusVersionError = defineError(
  4120,
  'tus_version_unsupported',
  'Version {version} of tus is spoken here: say so in Tus-Resumable',
)
export const FileTooLargeError = defineError(4130, 'file_too_large', 'A file may have {limit} bytes at most')
export const RangeNotSatisfiableError = defineError(
  4160,
  'range_not_satisfiable',
  'One range of bytes that the file has is wanted',
)
export const HashAlgorithmError = defineError(
  4222,
  'hash_algorithm_unsupported',
  'Files are announced with their SHA-256 here',
)
export const AttachmentQuotaError = defineError(4297, 'attachment_quota_exceeded', 'There is no room for the file')
export const UploadChecksumError = defineError(
  4600,
  'upload_checksum_mismatch',
  'The bytes are not those of the checksum, and none of them were kept',
)
