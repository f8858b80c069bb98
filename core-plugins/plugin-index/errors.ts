import { defineError } from '#kernel'

/** Nobody here knows the key of a signature; details tell whose it says it is. */
export const PublisherKeyUnknownError = defineError(
  4009,
  'publisher_key_unknown',
  'No key {kid} of {publisher} is known here: compare its fingerprint with the publisher and add it to the trusted publishers',
)
export const PublisherKeyRevokedError = defineError(
  4009,
  'publisher_key_revoked',
  'The key {kid} of {publisher} was revoked',
)
export const PublisherKeyTakenError = defineError(4091, 'publisher_key_taken', 'There is a key {kid} of {publisher}')
export const PublisherKeyNotFoundError = defineError(4040, 'publisher_key_not_found', 'There is no such key')
export const PublisherKeyInvalidError = defineError(
  4220,
  'publisher_key_invalid',
  'This is no Ed25519 public key in base64url',
)
export const SourceNotFoundError = defineError(4040, 'plugin_source_not_found', 'There is no source {source}')
export const SourceTakenError = defineError(4091, 'plugin_source_taken', 'There is a source {source} already')
export const SourceInvalidError = defineError(4220, 'plugin_source_invalid', 'The source cannot be so')
export const SourceUnavailableError = defineError(
  5023,
  'plugin_source_unavailable',
  'The source {source} cannot be read: {why}',
)
export const OfferNotFoundError = defineError(4046, 'plugin_not_offered', 'No source offers {name}')
export const VersionNotFoundError = defineError(4046, 'plugin_version_not_offered', '{source} has no {name} {version}')
export const NoCompatibleVersionError = defineError(
  4009,
  'plugin_no_compatible_version',
  'No version of {name} fits this platform',
)
export const ReleaseRevokedError = defineError(4009, 'plugin_release_revoked', '{name} {version} was revoked: {why}')
export const RevokedError = defineError(
  4094,
  'plugin_revoked',
  '{name} {version} was revoked: {why}. Upgrade it, or override the revocation',
)
export const ForeignSourceError = defineError(
  4094,
  'plugin_of_another_source',
  '{name} was installed from {owner}: uninstall it first to take it from {source}',
)
export const UploadedPluginError = defineError(
  4094,
  'plugin_was_uploaded',
  '{name} was uploaded and belongs to no source: name the source to take it from',
)
export const SourceAmbiguousError = defineError(
  4094,
  'plugin_source_ambiguous',
  '{name} is offered by {sources} under different keys: say which source to take it from',
)
export const OfferMismatchError = defineError(
  4009,
  'plugin_offer_mismatch',
  'The package is not what {source} offers: {problem}',
)
