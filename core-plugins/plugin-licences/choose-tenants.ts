import { ValidationFailedError } from '#kernel'
import { LicenseInvalidError, type Licence } from '#marketplace'
import type { LicensablePlugin } from '../plugins/contract.ts'
import type { LicenceRow } from './books/models.ts'

/** For whom a licence is to be used; `all` comes without a list. */
export interface ChosenTenants {
  readonly reach: LicenceRow['reach']
  readonly tenantIds: readonly number[]
}

/** What the choice is made from. */
interface TenantChoice {
  readonly plugin: Pick<LicensablePlugin, 'scope' | 'assigned'>
  readonly licence: Pick<Licence, 'tenants' | 'seats'>
  /** What the administrator asks for. */
  readonly asked: readonly number[] | undefined
  /** The tenants that there are. */
  readonly existing: ReadonlySet<number>
  /** 400/4002: tenants were named for a plugin of the platform. */
  readonly notAssignable: () => Error
}

/**
 * For whom a licence is to be used: whom the administrator names, or else all that the token names, or for seats the tenants that
 * the plugin is assigned to. Throws 422/4220 for tenants that are not there or not in the token, 400/4002 where it fits nobody.
 */
export function chooseTenants({ plugin, licence, asked, existing, notAssignable }: TenantChoice): ChosenTenants {
  const listed = Array.isArray(licence.tenants) ? (licence.tenants as readonly number[]) : undefined
  if (plugin.scope === 'platform') {
    if (asked) throw notAssignable()
    if (listed) throw unfit('it names tenants, and the plugin is one of the platform')
    return { reach: 'all', tenantIds: [] }
  }
  requireAmong(asked ?? [], existing, 'exists', 'There is no such tenant')
  if (listed) {
    requireAmong(asked ?? [], new Set(listed), 'licensed', 'The licence is not for this tenant')
    const tenantIds = asked ?? listed.filter((id) => existing.has(id))
    if (tenantIds.length === 0) throw unfit('none of its tenants is here')
    return { reach: 'listed', tenantIds }
  }
  if (licence.seats === undefined) return { reach: asked ? 'listed' : 'all', tenantIds: asked ?? [] }
  return { reach: 'seats', tenantIds: asked ?? assignedTenants(plugin) }
}

/** The tenants that a plugin is assigned to; throws 422/4220 (`tenant_ids`) when there are none to choose from. */
export function assignedTenants(
  { assigned }: Pick<LicensablePlugin, 'assigned'>,
  field = 'tenant_ids',
): readonly number[] {
  if (assigned.length > 0) return assigned
  throw new ValidationFailedError({
    errors: [{ field, rule: 'required', message: 'The plugin is assigned to no tenant: name whom it is for' }],
  })
}

/** Throws 422/4220 for tenants that are not among those allowed. */
export function requireAmong(
  ids: readonly number[],
  allowed: ReadonlySet<number>,
  rule: string,
  message: string,
  field = 'tenant_ids',
): void {
  const wrong = ids.filter((id) => !allowed.has(id))
  if (wrong.length === 0) return
  throw new ValidationFailedError({ errors: wrong.map((id) => ({ field, rule, message, params: { id } })) })
}

function unfit(problem: string): Error {
  return new LicenseInvalidError({ problem }, { details: { rule: 'tenants' } })
}
