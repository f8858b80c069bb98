import type { ConfigGroupDeclaration } from '#kernel'
import { platformImage } from './platform-image.ts'
import { platformMarketplace } from './platform-marketplace.ts'
import { platformPlugin } from './platform-plugin.ts'
import { platformSecurity } from './platform-security.ts'
import { platformSite } from './platform-site.ts'
import { platformSsl } from './platform-ssl.ts'
import { tenantPlace } from './tenant-place.ts'
import { tenantSignIn } from './tenant-sign-in.ts'
import { tenantSite } from './tenant-site.ts'

/** The groups that belong to no other plugin. */
export const groups: readonly ConfigGroupDeclaration[] = [
  ...platformSite,
  ...platformSecurity,
  platformSsl,
  platformImage,
  platformPlugin,
  platformMarketplace,
  ...tenantSite,
  ...tenantSignIn,
  ...tenantPlace,
]
