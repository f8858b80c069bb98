import type { Knex } from 'knex'
import { pickText, type Principal, type TextTeller } from '#kernel'
import type { KnownPermissions } from '../grants/known-permissions.ts'

/** What roles of the caller's tenant, or of the platform, may be given, by resource. */
export async function listPermissions(
  { db, known, teller }: { readonly db: Knex; readonly known: KnownPermissions; readonly teller: TextTeller },
  principal: Principal,
  locale: string,
) {
  const all = await known.list(principal.tenantId, db)
  const byResource = Map.groupBy(all, ({ name }) => name.slice(0, name.lastIndexOf(':')))
  const items = [...byResource].flatMap(([resource, [first, ...others]]) => {
    if (!first) return []
    const actions = [first, ...others].map(({ name, sentence }) => {
      return {
        action: name.slice(resource.length + 1),
        permission: name,
        title: typeof sentence === 'string' ? teller.tellSentence(sentence, locale) : pickText(sentence, locale),
        grantable: principal.can(name),
      }
    })
    return [{ resource, scope: first.scope, plugin: first.plugin, data_scoped: first.dataScoped, actions }]
  })
  return { items }
}
