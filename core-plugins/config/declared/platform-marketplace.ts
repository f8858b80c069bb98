import type { ConfigGroupDeclaration, ConfigItemDeclaration, Localised } from '#kernel'
import { numberItem } from './items.ts'
import { texts } from './texts/texts.ts'

const levels = {
  official: texts.of('trust.official'),
  verified: texts.of('trust.verified'),
  community: texts.of('trust.community'),
} as const
const namePattern = '^(\\*|[a-z][a-z0-9-]*\\.(\\*|[a-z][a-z0-9-]*))$'

/** Which plugins may be taken from index sources, and how often those are asked. */
export const platformMarketplace: ConfigGroupDeclaration = {
  code: 'platform_marketplace',
  name: texts.of('platform_marketplace'),
  description: texts.of('platform_marketplace.description'),
  icon: 'shop',
  sort: 75,
  scope: 'ADMIN_ONLY',
  items: [
    numberItem('marketplace_refresh_minutes', texts.of('marketplace_refresh_minutes'), [15, 5, 1440]),
    levelItem('marketplace_min_trust', texts.of('marketplace_min_trust'), 'unsigned', {
      ...levels,
      unsigned: texts.of('marketplace_min_trust.unsigned'),
    }),
    levelItem('upload_min_trust', texts.of('upload_min_trust'), 'local', {
      ...levels,
      local: texts.of('upload_min_trust.local'),
    }),
    namesItem('marketplace_allow', texts.of('marketplace_allow')),
    namesItem('marketplace_deny', texts.of('marketplace_deny')),
  ],
}

function levelItem(
  key: string,
  name: Localised,
  start: string,
  labels: Readonly<Record<string, ConfigItemDeclaration['name']>>,
): ConfigItemDeclaration {
  const options = Object.entries(labels).map(([value, label]) => ({ value, label }))
  return { key, type: 'SELECT', name, default: start, required: true, options }
}

function namesItem(key: string, name: Localised): ConfigItemDeclaration {
  return { key, type: 'TAG', name, default: [], rules: { pattern: namePattern } }
}
