import { defineError } from '#kernel'

export const HealthFailedError = defineError(5032, 'health_failed', 'A part of the platform does not answer')
