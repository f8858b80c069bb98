import type { SecurityStateBody } from '../../../users/wire.ts'

/** How a sign-in is kept safe. */
export type Safety = SecurityStateBody
