import type { BodyOf } from '#kernel/schemas'
import type { category, offer, offerDetail } from './offers/offer-schemas.ts'
import type { hostBody, update, updatesBody } from './offers/update-schemas.ts'
import type { publisherRecord } from './publishers/schemas.ts'
import type { sourceRecord } from './sources/schemas.ts'

/** A plugin of the sources. */
export type OfferBody = BodyOf<typeof offer>
/** The same with its versions. */
export type OfferDetailBody = BodyOf<typeof offerDetail>
/** A category of plugins. */
export type CategoryBody = BodyOf<typeof category>
/** An installed plugin with what its source has for it. */
export type UpdateBody = BodyOf<typeof update>
/** Which installed plugins would not run on a version of the platform. */
export type HostReadinessBody = BodyOf<typeof hostBody>
/** A source. */
export type SourceBody = BodyOf<typeof sourceRecord>
/** A trusted key of a publisher. */
export type PublisherKeyBody = BodyOf<typeof publisherRecord>
/** Installed plugins with what their sources have for them, and how many could be newer. */
export type UpdatesBody = BodyOf<typeof updatesBody>
