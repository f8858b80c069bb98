import { pickText } from '#kernel'
import type { TargetSource } from '../../access/contract.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'

/** Names groups of settings in the audit log. */
export function groupNames(catalogue: Catalogue): TargetSource {
  return (_tenantId, codes, locale) => {
    const groups = codes.flatMap((code) => catalogue.findGroup(code) ?? [])
    return Promise.resolve(
      groups.map(({ code, declaration: { name } }) => ({ id: code, name: pickText(name, locale) })),
    )
  }
}
