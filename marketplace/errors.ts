import { defineError } from '#kernel'

/** An archive that is no plugin package; details.rule says which rule it breaks. */
export const PackageInvalidError = defineError(4009, 'package_invalid', 'The package is refused: {problem}')
/** A signature that is present and does not verify; details.rule says why. */
export const PackageSignatureError = defineError(
  4009,
  'package_signature_invalid',
  'The signature of the package is refused: {problem}',
)
/** A release in the store that is not what was installed. */
export const ReleaseDamagedError = defineError(
  5003,
  'release_damaged',
  'The files of {release} are not what was installed',
)
