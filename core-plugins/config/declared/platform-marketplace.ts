import type { ConfigGroupDeclaration, ConfigItemDeclaration } from '#kernel'
import { numberItem } from './items.ts'
import { localised } from './localised.ts'

const levels = {
  official: localised('Official', '官方'),
  verified: localised('Verified publishers', '已验证的发布者'),
  community: localised('Known publishers', '已知的发布者'),
} as const
const namePattern = '^(\\*|[a-z][a-z0-9-]*\\.(\\*|[a-z][a-z0-9-]*))$'

/** Which plugins may be taken from index sources, and how often those are asked. */
export const platformMarketplace: ConfigGroupDeclaration = {
  code: 'platform_marketplace',
  name: localised('Marketplace', '插件市场'),
  description: localised('What may be installed, and from where', '可以安装什么，从哪里安装'),
  icon: 'shop',
  sort: 75,
  scope: 'ADMIN_ONLY',
  items: [
    numberItem(
      'marketplace_refresh_minutes',
      ['Minutes between two looks at a source', '刷新间隔（分钟）'],
      [15, 5, 1440],
    ),
    levelItem('marketplace_min_trust', ['Least trust of what sources offer', '来源插件的最低信任级别'], 'unsigned', {
      ...levels,
      unsigned: localised('What each source says', '由各来源决定'),
    }),
    levelItem('upload_min_trust', ['Least trust of what is uploaded', '上传插件的最低信任级别'], 'local', {
      ...levels,
      local: localised('Any, signed with the key of this site', '任意，由本站密钥签名'),
    }),
    namesItem('marketplace_allow', ['Only these plugins: names or acme.*', '仅允许的插件：名称或 acme.*']),
    namesItem('marketplace_deny', ['Never these plugins: names or acme.*', '禁止的插件：名称或 acme.*']),
  ],
}

function levelItem(
  key: string,
  [english, chinese]: readonly [string, string],
  start: string,
  labels: Readonly<Record<string, ConfigItemDeclaration['name']>>,
): ConfigItemDeclaration {
  const options = Object.entries(labels).map(([value, label]) => ({ value, label }))
  return { key, type: 'SELECT', name: localised(english, chinese), default: start, required: true, options }
}

function namesItem(key: string, [english, chinese]: readonly [string, string]): ConfigItemDeclaration {
  return { key, type: 'TAG', name: localised(english, chinese), default: [], rules: { pattern: namePattern } }
}
