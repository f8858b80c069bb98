import type { BodyOf } from '#kernel/schemas'
import type { healthDetailBody } from './schemas.ts'

/** How a host is. */
export type HealthDetailBody = BodyOf<typeof healthDetailBody>
