import type { BodyOf } from '#kernel/schemas'
import type { endingPage, licenceBody } from './schemas.ts'

/** How a plugin is licensed. */
export type LicenceBody = BodyOf<typeof licenceBody>
/** Licences that end soon. */
export type EndingLicencesBody = BodyOf<typeof endingPage>
