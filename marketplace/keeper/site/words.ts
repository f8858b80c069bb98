/** The languages that an index is shown in, and the folder of each. */
export const siteLocales = { en: '', 'zh-CN': 'zh-CN/' } as const

/** One of them. */
export type SiteLocale = keyof typeof siteLocales

const english = {
  search: 'Search',
  plugins: 'Plugins',
  noPlugins: 'There are no plugins yet.',
  by: 'by',
  updated: 'Updated',
  rights: 'What it asks for',
  noRights: 'It asks for nothing.',
  optional: 'may be refused',
  hosts: 'Hosts it speaks to',
  versions: 'Versions',
  version: 'Version',
  published: 'Published',
  needs: 'Needs',
  size: 'Size',
  package: 'Package',
  yanked: 'taken back',
  signedBy: 'signed with',
  unsigned: 'not signed',
  screenshots: 'Screenshots',
  changes: 'Changes',
  licence: 'Licence',
  homepage: 'Home page',
  source: 'Source',
  support: 'Support',
  feed: 'Feed',
  other: '中文',
  official: 'official',
  verified: 'verified',
  community: 'community',
  built: 'Built',
} as const

type Words = Readonly<Record<keyof typeof english, string>>

const chinese: Words = {
  search: '搜索',
  plugins: '插件',
  noPlugins: '还没有插件。',
  by: '作者',
  updated: '更新于',
  rights: '所需权限',
  noRights: '不需要任何权限。',
  optional: '可拒绝',
  hosts: '会访问的主机',
  versions: '版本',
  version: '版本',
  published: '发布于',
  needs: '需要',
  size: '大小',
  package: '安装包',
  yanked: '已撤回',
  signedBy: '签名密钥',
  unsigned: '未签名',
  screenshots: '截图',
  changes: '变更',
  licence: '许可证',
  homepage: '主页',
  source: '源代码',
  support: '支持',
  feed: '订阅',
  other: 'English',
  official: '官方',
  verified: '已验证',
  community: '社区',
  built: '构建于',
}

/** What pages say, by language. */
export const siteWords: Readonly<Record<SiteLocale, Words>> = { en: english, 'zh-CN': chinese }

/** What each capability lets a plugin do. */
const rights: Readonly<Record<string, readonly [english: string, chinese: string]>> = {
  http: ['Calls the hosts named below', '访问下列主机'],
  'http:any': ['Calls any public host', '访问任意公网主机'],
  storage: ['Keeps files of its own', '保存自己的文件'],
  'db:own_tables': ['Keeps tables of its own', '使用自己的数据表'],
  events: ['Publishes and hears events', '发布和接收事件'],
  schedule: ['Runs at set times', '定时运行'],
  config: ['Has settings', '具有设置项'],
  ui: ['Shows pages in the console', '在控制台显示页面'],
  captcha: ['Provides a captcha', '提供验证码'],
  'ai:tool': ['Gives AI agents tools', '为智能体提供工具'],
  'ai:provider': ['Provides AI models', '提供 AI 模型'],
  'ai:guardrail': ['Reads and changes what goes to and comes from AI models', '检查并修改与 AI 模型往来的内容'],
  'ai:router': ['Chooses among AI models', '选择 AI 模型'],
  'ai:invoke': ['Uses AI models on the tenant’s quota', '使用租户额度调用 AI 模型'],
  'users:read_basic': ['Reads names of users', '读取用户名称'],
  notify: ['Sends notifications to users', '向用户发送通知'],
  license: ['Is sold by licence', '按许可证销售'],
  'attachments:read': ['Reads files that users may read', '读取用户可读的文件'],
  'attachments:write': ['Takes files from users', '接收用户的文件'],
}

/** A capability in the words of a language; its own name where there are none. */
export function rightIn(locale: SiteLocale, capability: string): string {
  const [english, chinese] = rights[capability] ?? [capability, capability]
  return locale === 'en' ? english : chinese
}
