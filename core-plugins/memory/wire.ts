import type { BodyOf } from '#kernel/schemas'
import type { memoryBody } from './user/schemas.ts'

/** Something that is remembered of a user. */
export type MemoryBody = BodyOf<typeof memoryBody>
