import type { BodyOf } from '#kernel/schemas'
import type { scheduleBody } from './schemas.ts'

/** A schedule of a plugin with its next run and its last one. */
export type ScheduleBody = BodyOf<typeof scheduleBody>
