import type { MenuDeclaration } from '#kernel'
import { texts } from './texts/texts.ts'

/** The plugin's entries of the navigation. */
export const menus: readonly MenuDeclaration[] = [
  {
    ...{ name: 'admin_ai_mcp', title: texts.of('admin_ai_mcp'), area: 'admin', type: 'menu', parent: 'admin_ai' },
    ...{ path: '/admin/ai/mcp-servers', component: 'admin/ai/mcp-servers/index', icon: 'plug-zap' },
    ...{ permission: 'ai_mcp_server:list', sort: 60 },
  },
  {
    ...{ name: 'tenant_mcp', title: texts.of('tenant_mcp'), area: 'tenant', type: 'menu' },
    ...{ path: '/tenant/mcp-servers', component: 'tenant/mcp-servers/index', icon: 'plug-zap' },
    ...{ permission: 'tenant_mcp_server:list', sort: 27 },
  },
]
