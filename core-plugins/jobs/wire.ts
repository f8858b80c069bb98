import type { BodyOf } from '#kernel/schemas'
import type { jobBody } from './schemas.ts'

/** A job and how far it is. */
export type JobBody = BodyOf<typeof jobBody>
