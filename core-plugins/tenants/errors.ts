import { defineError } from '#kernel'

export const TenantCodeTakenError = defineError(4091, 'tenant_code_taken', 'There is a tenant with this code already')
export const DomainTakenError = defineError(4097, 'domain_taken', 'Another tenant has the domain {domain}')
export const DomainInvalidError = defineError(4228, 'domain_invalid', '{domain} cannot be a tenant’s domain')
