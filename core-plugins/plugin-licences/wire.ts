import type { BodyOf } from '#kernel/schemas'
import type { licenceBody } from './schemas.ts'

/** How a plugin is licensed. */
export type LicenceBody = BodyOf<typeof licenceBody>
