import type { BodyOf } from '#kernel/schemas'
import type { domainBody } from './domains/schemas.ts'
import type { madeTenant, tenantDetail } from './schemas.ts'

/** A tenant with what it has. */
export type TenantBody = BodyOf<typeof tenantDetail>
/** A new tenant with its owner. */
export type MadeTenantBody = BodyOf<typeof madeTenant>
/** A domain as its tenant sees it. */
export type DomainBody = BodyOf<typeof domainBody>
