import { defineError } from '#kernel'

/** A manifest.json that breaks a rule; `errors` has every fault of it. */
export const ManifestInvalidError = defineError(4227, 'manifest_invalid', 'The manifest of the plugin is not valid')
