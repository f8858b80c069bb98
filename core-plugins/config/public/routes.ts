import { defineRoute, jsonTextWithEtag, type Route, type Scope, type Tenant } from '#kernel'
import type { Catalogue } from '../catalogue/catalogue.ts'
import type { ConfigReader, ConfigWriter } from '../contract.ts'
import { AddedMembers } from './added-members.ts'
import { configPublicMembers } from '../contract-public.ts'
import type { FileValues } from '../extensions/files.ts'
import { legalRoutes } from './legal/routes.ts'
import { readPlatformConfig } from './platform-config.ts'
import { followPrintedConfigs } from './printed-configs.ts'
import { platformConfig, tenantConfig } from './schemas.ts'
import { readTenantConfig } from './tenant-config.ts'

/** What public routes read. */
interface PublicParts {
  readonly catalogue: Catalogue
  readonly reader: ConfigReader
  readonly writer: ConfigWriter
  readonly files: FileValues
}

/** What anybody may know of the configuration, and the service by which others add to it. */
export function publicRoutes(scope: Scope, { catalogue, reader, writer, files }: PublicParts): readonly Route[] {
  const configs = followPrintedConfigs(scope)
  const { publicUrl } = scope.env
  const added = new AddedMembers(configs)
  scope.provide(configPublicMembers, added)
  const readPlatform = async () => added.addTo(await readPlatformConfig(catalogue, reader, files), 0)
  const readTenant = async (tenant: Tenant) =>
    added.addTo(await readTenantConfig(tenant, publicUrl, { catalogue, reader, files }), tenant.id)
  return [
    defineRoute({
      method: 'get',
      path: '/api/public/platform/config',
      summary: 'Read the public configuration of the platform',
      auth: 'none',
      answers: [200, 304],
      schema: { response: platformConfig },
      async handler() {
        const { text, etag } = await configs.of(undefined, readPlatform)
        return jsonTextWithEtag(text, etag)
      },
    }),
    defineRoute({
      method: 'get',
      path: '/api/public/tenant/config',
      summary: 'Read the public configuration of the tenant that the host names',
      auth: 'none',
      tenant: 'required',
      answers: [200, 304],
      schema: { response: tenantConfig },
      async handler({ tenant }) {
        const { text, etag } = await configs.of(tenant, () => readTenant(tenant))
        return jsonTextWithEtag(text, etag)
      },
    }),
    ...legalRoutes(reader, writer),
  ]
}
