/** What this plugin says, in English; its errors say it themselves. */
export const english = {
  'plugin.title': 'MCP',
  'plugin.description':
    'The Model Context Protocol both ways: tools of other servers for agents, and tools of this platform for others',
  admin_ai_mcp: 'MCP servers',
  tenant_mcp: 'MCP servers',
}
