import type { PermissionDeclaration } from '#kernel'

const actions = {
  list: 'List MCP servers, without their secrets',
  detail: 'Read an MCP server with its tools, without its secrets',
  create: 'Add MCP servers',
  update: 'Change MCP servers, set their secrets, and allow and approve their tools',
  delete: 'Delete MCP servers',
  test: 'Test MCP servers',
} as const

/** Permission → what it lets you do: `ai_mcp_server` is the platform's over all tenants, `tenant_mcp_server` a tenant's over its own. */
export const permissions: readonly PermissionDeclaration[] = [
  { resource: 'ai_mcp_server', scope: 'ADMIN', actions },
  { resource: 'tenant_mcp_server', scope: 'TENANT', actions },
]

/** What a route demands of administrators of the platform, and of those of a tenant. */
export function may(action: keyof typeof actions) {
  return { platform: `ai_mcp_server:${action}`, tenant: `tenant_mcp_server:${action}` } as const
}
