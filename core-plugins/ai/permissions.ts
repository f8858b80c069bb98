import type { PermissionDeclaration } from '#kernel'

/** Resource → action → what it lets you do. */
const actions = {
  ai_model: {
    list: 'List AI models',
    detail: 'Read an AI model with its versions and prices',
    create: 'Add AI models',
    update: 'Change the names, tags and state of AI models',
    delete: 'Delete AI models',
    version: 'Add versions of AI models, and go back to an earlier one',
  },
  ai_provider: {
    list: 'List AI providers, without their secrets',
    detail: 'Read an AI provider, without its secrets',
    create: 'Add AI providers',
    update: 'Change AI providers and set their secrets',
    delete: 'Delete AI providers',
    test: 'Test AI providers, which may cost a few tokens',
  },
  ai_gateway: {
    detail: 'Read how the AI gateway works',
    update: 'Change how the AI gateway works',
    routes: 'Read and change the routes of the AI gateway',
    stats: 'Read figures of the AI gateway',
    failover: 'Take targets of the AI gateway out of use and back in',
  },
  ai_health: {
    read: 'Read how AI providers are',
    metrics: 'Read figures of AI providers and the gateway',
    logs: 'Read the log of AI requests',
    payloads: 'Read what was said in AI requests, where that is kept',
    alerts: 'Read and change the rules of AI alerts',
  },
} as const

type Actions = typeof actions
type Demand = { [R in keyof Actions]: `${R}:${keyof Actions[R] & string}` }[keyof Actions]

/** Permission → what it lets you do: `ai_*` is the platform's over all tenants, `tenant_ai_*` a tenant's over its own. */
export const permissions: readonly PermissionDeclaration[] = Object.entries(actions).flatMap(
  ([resource, named]): readonly PermissionDeclaration[] => [
    { resource, scope: 'ADMIN', actions: named },
    { resource: `tenant_${resource}`, scope: 'TENANT', actions: named },
  ],
)

/** What a route of the AI area demands of administrators of the platform, and of those of a tenant. */
export function demand(permission: Demand) {
  return { platform: permission, tenant: `tenant_${permission}` } as const
}
