import type { BodyOf } from '#kernel/schemas'
import type { modelBody, versionBody, versionList } from './models/schemas.ts'
import type { testResult } from './provider-tests/schemas.ts'
import type { providerBody, providerOffer } from './providers/schemas.ts'

/** A provider of models. */
export type ProviderBody = BodyOf<typeof providerBody>
/** A provider that a plugin brings. */
export type ProviderOfferBody = BodyOf<typeof providerOffer>
/** What a test of a provider found. */
export type ProviderTestBody = BodyOf<typeof testResult>
/** A model. */
export type ModelBody = BodyOf<typeof modelBody>
/** A version of a model. */
export type ModelVersionBody = BodyOf<typeof versionBody>
/** The versions of a model. */
export type ModelVersionsBody = BodyOf<typeof versionList>
