import { defineError } from '#kernel'

/** An archive that is no plugin package; details.rule says which rule it breaks. */
export const PackageInvalidError = defineError(4009, 'package_invalid', 'The package is refused: {problem}')
/** A signature that is present and does not verify; details.rule says why. */
export const PackageSignatureError = defineError(
  4009,
  'package_signature_invalid',
  'The signature of the package is refused: {problem}',
)
/** The package may be fine: the process that opens it came to no end on this host. */
export const UnpackingFailedError = defineError(
  5030,
  'package_unpacking_failed',
  'This host cannot unpack the package at the moment: {why}',
)
/** What was kept of a release, wherever a host takes it from, is not what was installed. */
export const ReleaseDamagedError = defineError(
  5003,
  'release_damaged',
  'The files of {release} are not what was installed',
)
/** The package is what was installed, and the disk of this host does not give back what was written to it. */
export const ReleaseNotKeptError = defineError(
  5030,
  'release_not_kept',
  'The files of {release} on this host are not what was written there',
)
