import type { Catalogue } from '../catalogue/catalogue.ts'
import type { FileValues } from '../extensions/files.ts'
import type { ConfigReader } from '../contract.ts'
import { listPublicItems, readStorage } from './public-items.ts'

/** Keys that pages know by another name, the one that tenants' have too. */
const shownAs: Readonly<Record<string, string>> = { default_locale: 'locale', default_timezone: 'timezone' }

/** What anybody may know of the platform's configuration. */
export async function readPlatformConfig(
  catalogue: Catalogue,
  reader: ConfigReader,
  files: FileValues,
): Promise<Readonly<Record<string, unknown>>> {
  const items = listPublicItems(catalogue, 'ADMIN_ONLY')
  const entries = items.map(async (item) => {
    return [shownAs[item.key] ?? item.key, files.show(item, await reader.get(item.key))] as const
  })
  return { ...Object.fromEntries(await Promise.all(entries)), storage: await readStorage(catalogue, reader) }
}
