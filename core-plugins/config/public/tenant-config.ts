import type { Tenant } from '#kernel'
import type { Catalogue } from '../catalogue/catalogue.ts'
import type { FileValues } from '../extensions/files.ts'
import type { ConfigReader } from '../contract.ts'
import { hasMeaning } from './legal/has-meaning.ts'
import { listPublicItems, readStorage } from './public-items.ts'

/** Items whose empty value means the platform's. */
const inherited: ReadonlySet<string> = new Set(['captcha_provider', 'captcha_difficulty'])

/** What the public configuration of a tenant is read from. */
interface PublicSources {
  readonly catalogue: Catalogue
  readonly reader: ConfigReader
  readonly files: FileValues
}

/** What anybody at a tenant's domain may know of its configuration. */
export async function readTenantConfig(
  tenant: Tenant,
  publicUrl: string,
  { catalogue, reader, files }: PublicSources,
): Promise<Readonly<Record<string, unknown>>> {
  const items = listPublicItems(catalogue, 'ALL_TENANTS')
  const entries = items.map(async (item) => {
    return [item.key, files.show(item, await effective(item.key, tenant.id, reader))] as const
  })
  return {
    tenant_id: tenant.id,
    tenant_code: tenant.code,
    tenant_name: tenant.name,
    ...Object.fromEntries(await Promise.all(entries)),
    privacy_policy_internal: hasMeaning(await reader.get<string>('privacy_policy', tenant.id)),
    terms_internal: hasMeaning(await reader.get<string>('terms', tenant.id)),
    subdomain: tenant.code,
    subdomain_url: subdomainUrl(tenant.code, await reader.get<string>('tenant_domain_suffix'), publicUrl),
    storage: await readStorage(catalogue, reader),
  }
}

async function effective(key: string, tenantId: number, reader: ConfigReader): Promise<unknown> {
  const value = await reader.get(key, tenantId)
  return value === '' && inherited.has(key) ? reader.get(key) : value
}

function subdomainUrl(subdomain: string, suffix: string, publicUrl: string): string {
  if (suffix === '') return ''
  const url = new URL(publicUrl)
  return `${url.protocol}//${subdomain}.${suffix}${url.port ? `:${url.port}` : ''}`
}
