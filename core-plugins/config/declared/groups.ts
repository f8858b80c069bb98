import type { ConfigGroupDeclaration } from '#kernel'
import { platformPlugin } from './platform-plugin.ts'
import { platformSecurity } from './platform-security.ts'
import { platformSite } from './platform-site.ts'
import { tenantSignIn } from './tenant-sign-in.ts'
import { tenantSite } from './tenant-site.ts'

/** The groups that belong to no other plugin. */
export const groups: readonly ConfigGroupDeclaration[] = [
  ...platformSite,
  ...platformSecurity,
  platformPlugin,
  ...tenantSite,
  ...tenantSignIn,
]
