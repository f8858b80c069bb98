import type { ConfigGroupDeclaration, Localised } from '#kernel'
import { brandColor } from './brand-color.ts'
import { switchItem } from './items.ts'
import { localeOptions } from './locale-options.ts'
import { texts } from './texts/texts.ts'

const image = (key: string, name: Localised) => ({ key, type: 'IMAGE', name, default: '', public: true }) as const
const line = (key: string, name: Localised) => ({ key, type: 'STRING', name, default: '', public: true }) as const
const link = (key: string, name: Localised) =>
  ({ ...line(key, name), rules: { pattern: '^https?://\\S{1,2000}$' } }) as const
const shown = { public: true } as const

/** What a tenant looks like and what its users may do. */
export const tenantSite: readonly ConfigGroupDeclaration[] = [
  {
    code: 'tenant_basic',
    name: texts.of('tenant_basic'),
    icon: 'brush',
    sort: 110,
    scope: 'ALL_TENANTS',
    items: [
      image('logo_url', texts.of('logo_url')),
      image('favicon_url', texts.of('favicon_url')),
      image('logo_dark_url', texts.of('logo_dark_url')),
      brandColor,
      line('footer_copyright', texts.of('footer_copyright')),
      line('icp', texts.of('icp')),
      {
        key: 'locale',
        type: 'SELECT',
        name: texts.of('locale'),
        description: texts.of('locale.description'),
        default: '',
        public: true,
        options: localeOptions,
      },
      { ...line('timezone', texts.of('timezone')), rules: { format: 'time-zone' } },
    ],
  },
  {
    code: 'tenant_feature',
    name: texts.of('tenant_feature'),
    icon: 'switch',
    sort: 150,
    scope: 'ALL_TENANTS',
    items: [
      switchItem('allow_profile_edit', texts.of('allow_profile_edit'), true, shown),
      switchItem('email_notification', texts.of('email_notification'), true, shown),
      switchItem('sms_notification', texts.of('sms_notification'), false, shown),
      switchItem('api_access', texts.of('api_access'), true, shown),
      switchItem('file_upload', texts.of('file_upload'), true, shown),
      switchItem('ai_access', texts.of('ai_access'), true),
    ],
  },
  {
    code: 'tenant_legal',
    name: texts.of('tenant_legal'),
    icon: 'document',
    sort: 160,
    scope: 'ALL_TENANTS',
    items: [
      link('privacy_policy_url', texts.of('privacy_policy_url')),
      link('terms_url', texts.of('terms_url')),
      { key: 'privacy_policy', type: 'HTML', name: texts.of('privacy_policy'), default: '' },
      { key: 'terms', type: 'HTML', name: texts.of('terms'), default: '' },
    ],
  },
]
