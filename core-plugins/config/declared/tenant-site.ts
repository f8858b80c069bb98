import type { ConfigGroupDeclaration } from '#kernel'
import { switchItem } from './items.ts'
import { localised } from './localised.ts'

const image = (key: string, english: string, chinese: string) =>
  ({ key, type: 'IMAGE', name: localised(english, chinese), default: '', public: true }) as const
const line = (key: string, english: string, chinese: string) =>
  ({ key, type: 'STRING', name: localised(english, chinese), default: '', public: true }) as const
const link = (key: string, english: string, chinese: string) =>
  ({ ...line(key, english, chinese), rules: { pattern: '^https?://\\S{1,2000}$' } }) as const
const shown = { public: true } as const

/** What a tenant looks like and what its users may do. */
export const tenantSite: readonly ConfigGroupDeclaration[] = [
  {
    code: 'tenant_basic',
    name: localised('Brand', '品牌'),
    icon: 'brush',
    sort: 110,
    scope: 'ALL_TENANTS',
    items: [
      image('logo_url', 'Logo', '标志'),
      image('favicon_url', 'Favicon', '网站图标'),
      image('logo_dark_url', 'Logo on dark ground', '深色标志'),
      line('footer_copyright', 'Copyright line', '版权信息'),
      line('icp', 'ICP number', 'ICP 备案号'),
      {
        key: 'locale',
        type: 'SELECT',
        name: localised('Language', '语言'),
        description: localised('Empty means the platform’s', '留空则使用平台设置'),
        default: '',
        public: true,
        options: [
          { label: localised('English', '英语'), value: 'en' },
          { label: localised('Chinese (simplified)', '简体中文'), value: 'zh-CN' },
        ],
      },
      { ...line('timezone', 'Time zone', '时区'), rules: { format: 'time-zone' } },
    ],
  },
  {
    code: 'tenant_feature',
    name: localised('Features', '功能'),
    icon: 'switch',
    sort: 150,
    scope: 'ALL_TENANTS',
    items: [
      switchItem('allow_profile_edit', ['Users may change their profile', '允许修改个人资料'], true, shown),
      switchItem('email_notification', ['Notices by e-mail', '邮件通知'], true, shown),
      switchItem('sms_notification', ['Notices by SMS', '短信通知'], false, shown),
      switchItem('api_access', ['Access with API keys', 'API 访问'], true, shown),
      switchItem('file_upload', ['Uploads', '文件上传'], true, shown),
      switchItem('ai_access', ['AI', 'AI 功能'], true),
    ],
  },
  {
    code: 'tenant_legal',
    name: localised('Legal texts', '法律文本'),
    icon: 'document',
    sort: 160,
    scope: 'ALL_TENANTS',
    items: [
      link('privacy_policy_url', 'Privacy policy elsewhere', '隐私政策链接'),
      link('terms_url', 'Terms of service elsewhere', '服务条款链接'),
      { key: 'privacy_policy', type: 'HTML', name: localised('Privacy policy', '隐私政策'), default: '' },
      { key: 'terms', type: 'HTML', name: localised('Terms of service', '服务条款'), default: '' },
    ],
  },
]
