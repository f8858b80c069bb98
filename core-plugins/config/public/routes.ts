import { defineRoute, jsonTextWithEtag, type Route, type Scope } from '#kernel'
import type { Catalogue } from '../catalogue.ts'
import type { ConfigReader, ConfigWriter } from '../contract.ts'
import { legalRoutes } from './legal/routes.ts'
import { readPlatformConfig } from './platform-config.ts'
import { followPrintedConfigs } from './printed-configs.ts'
import { readTenantConfig } from './tenant-config.ts'

const response = { type: 'object', required: ['storage'] } as const

/** What public routes read. */
export interface PublicParts {
  readonly catalogue: Catalogue
  readonly reader: ConfigReader
  readonly writer: ConfigWriter
}

/** What anybody may know of the configuration. */
export function publicRoutes(scope: Scope, { catalogue, reader, writer }: PublicParts): readonly Route[] {
  const configs = followPrintedConfigs(scope)
  const { publicUrl } = scope.env
  return [
    defineRoute({
      method: 'get',
      path: '/api/public/platform/config',
      summary: 'Read the public configuration of the platform',
      auth: 'none',
      schema: { response },
      async handler() {
        const { text, etag } = await configs.of(undefined, () => readPlatformConfig(catalogue, reader))
        return jsonTextWithEtag(text, etag)
      },
    }),
    defineRoute({
      method: 'get',
      path: '/api/public/tenant/config',
      summary: 'Read the public configuration of the tenant that the host names',
      auth: 'none',
      tenant: 'required',
      schema: { response },
      async handler({ tenant }) {
        const { text, etag } = await configs.of(tenant, () => readTenantConfig(tenant, publicUrl, catalogue, reader))
        return jsonTextWithEtag(text, etag)
      },
    }),
    ...legalRoutes(reader, writer),
  ]
}
