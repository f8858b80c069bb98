import type { MenuDeclaration } from '#kernel'
import { texts } from './texts/texts.ts'

/** The plugin's entry of the navigation. */
export const menus: readonly MenuDeclaration[] = [
  {
    ...{ name: 'tenant_knowledge', title: texts.of('tenant_knowledge'), area: 'tenant', type: 'menu' },
    ...{ path: '/tenant/knowledge-bases', component: 'tenant/knowledge-bases/index', icon: 'library' },
    ...{ permission: 'tenant_agent:list', sort: 25 },
  },
]
