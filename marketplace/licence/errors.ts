import { defineError } from '#kernel'

/** A licence token that is worth nothing here; details.rule says which rule it breaks. */
export const LicenseInvalidError = defineError(4002, 'plugin_license_invalid', 'The licence is refused: {problem}')
