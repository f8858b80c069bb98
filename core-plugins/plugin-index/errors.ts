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
export const PublisherKeyTakenError = defineError(4091, 'publisher_key_taken', 'There is a key {kid} of {publisher}')
export const PublisherKeyNotFoundError = defineError(4040, 'publisher_key_not_found', 'There is no such key')
export const PublisherKeyInvalidError = defineError(
  4220,
  'publisher_key_invalid',
  'This is no Ed25519 public key in base64url',
)
