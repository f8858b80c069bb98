import type { Catalogue, CatalogueItem } from '../catalogue/catalogue.ts'
import type { ConfigReader, ConfigScope } from '../contract.ts'

/** The group whose public items go out together, as the member `storage`. */
const storageGroup = 'platform_storage'

/** The items of a scope that are for everybody, without those of storage. */
export function listPublicItems(catalogue: Catalogue, scope: ConfigScope): readonly CatalogueItem[] {
  return catalogue
    .list()
    .filter(({ code, declaration }) => declaration.scope === scope && code !== storageGroup)
    .flatMap((group) => publicItemsOf([...group.items.values()]))
}

/** Where files go and which are taken; `storage_driver` is shown as `driver`. */
export async function readStorage(
  catalogue: Catalogue,
  reader: ConfigReader,
): Promise<Readonly<Record<string, unknown>>> {
  const items = publicItemsOf([...(catalogue.findGroup(storageGroup)?.items.values() ?? [])])
  const entries = items.map(async ({ key }) => [key.replace(/^storage_/, ''), await reader.get(key)] as const)
  return Object.fromEntries(await Promise.all(entries))
}

function publicItemsOf(items: readonly CatalogueItem[]): readonly CatalogueItem[] {
  return items.filter(({ declaration }) => declaration.public && declaration.type !== 'PASSWORD')
}
