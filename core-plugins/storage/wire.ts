import type { BodyOf } from '#kernel/schemas'
import type { driver, statusResponse, testResult } from './settings/schemas.ts'

/** A driver, for tenants with what they may do with it. */
export type StorageDriverBody = BodyOf<typeof driver>
/** A tenant's storage. */
export type StorageStatusBody = BodyOf<typeof statusResponse>
/** How a test of a driver went. */
export type StorageTestBody = BodyOf<typeof testResult>
