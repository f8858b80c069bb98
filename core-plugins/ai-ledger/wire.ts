import type { BodyOf } from '#kernel/schemas'
import type { keyBody, rotatedBody } from './keys/schemas.ts'
import type { usageBody } from './quotas/bucket-schemas.ts'
import type { quotaRow } from './quotas/schemas.ts'
import type { reportBody } from './reports/schemas.ts'
import type { costBody, trendBody } from './usage/schemas.ts'

/** A limit of what AI calls may use; lists tell how much of it is used. */
export type QuotaBody = BodyOf<typeof quotaRow>
/** How much of a quota is used. */
export type QuotaUseBody = BodyOf<typeof usageBody>
/** A key with which programs call AI. */
export type KeyBody = BodyOf<typeof keyBody>
/** A key with its new secret. */
export type RotatedKeyBody = BodyOf<typeof rotatedBody>
/** What calls used, by time. */
export type TrendsBody = BodyOf<typeof trendBody>
/** What calls cost. */
export type CostsBody = BodyOf<typeof costBody>
/** A report of usage and costs. */
export type ReportBody = BodyOf<typeof reportBody>
