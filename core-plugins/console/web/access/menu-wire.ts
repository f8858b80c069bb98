import type { ManagedMenuBody } from '../../../access/wire.ts'

/** An entry of the navigation with how it was arranged. */
export type ArrangedMenu = ManagedMenuBody
