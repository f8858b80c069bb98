const pages: Readonly<Record<'admin' | 'tenant', Readonly<Record<string, string>>>> = {
  admin: {
    role: '/admin/roles/',
    user: '/admin/users/',
    tenant: '/admin/tenants/',
    plugin: '/admin/plugins/',
    config: '/admin/configs/',
    mcp_server: '/admin/ai/mcp-servers/',
  },
  tenant: {
    role: '/tenant/roles/',
    user: '/tenant/users/',
    org: '/tenant/orgs/',
    config: '/tenant/settings/',
    ai_agent: '/tenant/agents/',
    mcp_server: '/tenant/mcp-servers/',
  },
}

/** The page of what a line of the log is about, where it has one. */
export function placeOf(area: 'admin' | 'tenant', target: string): string | undefined {
  const [, kind = '', id = ''] = /^([a-z_]+):([\w.-]+)$/.exec(target) ?? []
  const page = pages[area][kind]
  return page === undefined ? undefined : `${page}${id}`
}
