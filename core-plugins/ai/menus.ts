import type { MenuDeclaration } from '#kernel'
import { texts } from './texts/texts.ts'

/** Entries of the folder for AI, in their order. */
const pages = [
  { page: 'providers', icon: 'plug', permission: 'ai_provider:list', sort: 10 },
  { page: 'models', icon: 'cpu', permission: 'ai_model:list', sort: 20 },
  { page: 'gateway', icon: 'route', permission: 'ai_gateway:detail', sort: 30 },
  { page: 'health', icon: 'activity', permission: 'ai_health:read', sort: 70 },
] as const

/** The plugin's entries of the navigation; the folder is the ledger's. */
export const menus: readonly MenuDeclaration[] = pages.map(({ page, icon, permission, sort }) => ({
  name: `admin_ai_${page}`,
  title: texts.of(`admin_ai_${page}`),
  area: 'admin',
  type: 'menu',
  parent: 'admin_ai',
  path: `/admin/ai/${page}`,
  component: `admin/ai/${page}/index`,
  ...{ icon, permission, sort },
}))
