import type { OfferDetailBody } from '../../../../../plugin-index/wire.ts'

/** A plugin of a source with its versions. */
export type OfferDetail = OfferDetailBody
/** A version of a plugin as a source offers it. */
export type OfferedVersion = OfferDetailBody['versions'][number]
