import type { PermissionDeclaration } from '#kernel'

/** Permission → what it lets you do: the platform's over all tenants, and tenants' over their own. */
export const permissions: readonly PermissionDeclaration[] = [
  {
    resource: 'ai_quota',
    scope: 'ADMIN',
    actions: {
      list: 'List the quotas of the platform and of all tenants',
      detail: 'Read a quota',
      create: 'Set quotas for the platform and for tenants',
      update: 'Change and suspend quotas',
      usage: 'See how much of a quota is used, by whom and in which window',
      reset: 'Set what is used of a quota to another figure',
    },
  },
  {
    resource: 'ai_api_key',
    scope: 'ADMIN',
    actions: {
      list: 'List the API keys of the platform and of all tenants',
      detail: 'Read an API key, without its secret',
      create: 'Make API keys',
      update: 'Change API keys',
      delete: 'Disable API keys',
      rotate: 'Give API keys another secret',
    },
  },
  {
    resource: 'ai_usage',
    scope: 'ADMIN',
    actions: {
      read: 'See what AI calls used, over all tenants',
      costs: 'See what AI calls cost',
      export: 'Download the ledger of AI calls',
      report: 'Have reports of usage and costs made',
    },
  },
  {
    resource: 'tenant_ai_quota',
    scope: 'TENANT',
    actions: {
      list: 'See the quotas that hold for the tenant',
      create: 'Set quotas within the tenant',
      update: 'Change and suspend the tenant’s own quotas',
      reset: 'Set what is used of the tenant’s own quotas to another figure',
    },
  },
  {
    resource: 'tenant_ai_key',
    scope: 'TENANT',
    actions: {
      list: 'List and read the tenant’s API keys, without their secrets',
      create: 'Make API keys for the tenant',
      update: 'Change the tenant’s API keys',
      delete: 'Disable the tenant’s API keys',
      rotate: 'Give the tenant’s API keys another secret',
    },
  },
  {
    resource: 'tenant_usage',
    scope: 'TENANT',
    actions: { read: 'See, download and have reported what the tenant’s AI calls used and cost' },
  },
]
