import { defineError } from '#kernel'

export const HealthFailedError = defineError(5032, 'health_failed', 'A part of the platform does not answer')
/** Everything answers, and yet callers are refused what is still being loaded. */
export const HostStartingError = defineError(5032, 'host_starting', 'This host is still starting')
