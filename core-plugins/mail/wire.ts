import type { BodyOf } from '#kernel/schemas'
import type { testResult } from './schemas.ts'

/** Whether a test got out, and if not, why. */
export type MailTestBody = BodyOf<typeof testResult>
