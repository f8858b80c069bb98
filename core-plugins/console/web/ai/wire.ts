import type { KeyBody, QuotaBody, QuotaUseBody } from '../../../ai-ledger/wire.ts'
import type {
  ModelBody,
  ModelVersionBody,
  ModelVersionsBody,
  ProviderBody,
  ProviderTestBody,
} from '../../../ai/wire.ts'

/** A provider of AI models. */
export type Provider = ProviderBody
/** What a test of a provider came to. */
export type TestedProvider = ProviderTestBody
/** A model. */
export type Model = ModelBody
/** How a target does. */
export type Health = ModelBody['health']
/** A version of a model. */
export type ModelVersion = ModelVersionBody
/** What a model costs, as digits. */
export type Price = NonNullable<ModelVersionBody['price']>
/** How a canary goes beside the version that is used. */
export type CanaryComparison = NonNullable<ModelVersionsBody['comparison']>
/** How many attempts with a version went wrong. */
export type VersionFigures = CanaryComparison['canary']
/** A limit of what AI calls may use. */
export type Quota = QuotaBody
/** How much of a quota is used. */
export type QuotaUse = QuotaUseBody
/** A key with which programs call AI. */
export type ApiKey = KeyBody
