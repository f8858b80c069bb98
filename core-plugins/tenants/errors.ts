import { defineError } from '#kernel'

export const TenantCodeTakenError = defineError(4091, 'tenant_code_taken', 'There is a tenant with this code already')
export const DomainTakenError = defineError(4097, 'domain_taken', 'Another tenant has the domain {domain}')
export const DomainInvalidError = defineError(4228, 'domain_invalid', '{domain} cannot be a tenant’s domain')
export const DomainBoundError = defineError(4091, 'domain_bound', 'The tenant has the domain {domain} already')
export const DomainLimitError = defineError(4002, 'domain_limit', 'A tenant has at most {limit} domains')
export const DomainUnverifiedError = defineError(4094, 'domain_unverified', 'The domain {domain} is not verified')
