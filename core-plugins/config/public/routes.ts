import { createHash } from 'node:crypto'
import { defineRoute, withEtag, type Reply, type Route } from '#kernel'
import type { Catalogue } from '../catalogue.ts'
import type { ConfigReader } from '../contract.ts'
import { readPlatformConfig } from './platform-config.ts'
import { readTenantConfig } from './tenant-config.ts'

const response = { type: 'object', required: ['storage'] } as const

/** What anybody may know of the configuration. */
export function publicRoutes(catalogue: Catalogue, reader: ConfigReader, publicUrl: string): readonly Route[] {
  return [
    defineRoute({
      method: 'get',
      path: '/api/public/platform/config',
      summary: 'Read the public configuration of the platform',
      auth: 'none',
      schema: { response },
      handler: async () => versioned(await readPlatformConfig(catalogue, reader)),
    }),
    defineRoute({
      method: 'get',
      path: '/api/public/tenant/config',
      summary: 'Read the public configuration of the tenant that the host names',
      auth: 'none',
      tenant: 'required',
      schema: { response },
      handler: async ({ tenant }) => versioned(await readTenantConfig(tenant, publicUrl, catalogue, reader)),
    }),
  ]
}

function versioned(config: Readonly<Record<string, unknown>>): Reply {
  return withEtag(config, createHash('sha256').update(JSON.stringify(config)).digest('base64url').slice(0, 22))
}
