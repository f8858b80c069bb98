import type { MenuDeclaration } from '#kernel'
import { texts } from './texts/texts.ts'

/** The plugin's entry of the navigation. */
export const menus: readonly MenuDeclaration[] = [
  {
    ...{ name: 'tenant_agents', title: texts.of('tenant_agents'), area: 'tenant', type: 'menu' },
    ...{ path: '/tenant/agents', component: 'tenant/agents/index', icon: 'bot' },
    ...{ permission: 'tenant_agent:list', sort: 20 },
  },
]
