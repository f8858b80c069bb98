import type { ConfigGroupDeclaration, ConfigItemDeclaration, Localised } from '#kernel'
import { texts } from '../texts/texts.ts'

type Rest = Partial<ConfigItemDeclaration>

const shown = { public: true } as const
const guarded = { ...shown, approval: 'sensitive' } as const
const image = { label: texts.of('image'), value: 'image' }
const difficulties = [
  { label: texts.of('difficulty.easy'), value: 'easy' },
  { label: texts.of('difficulty.medium'), value: 'medium' },
  { label: texts.of('difficulty.hard'), value: 'hard' },
]
/** Which plugin's captcha it is, where the provider is one of a plugin. */
const pluginItem: ConfigItemDeclaration = {
  key: 'captcha_plugin',
  type: 'STRING',
  name: texts.of('captcha_plugin'),
  default: '',
  public: true,
}

/** When people must prove that they are some, and how: the platform's own and, for its users, each tenant's. */
export const groups: readonly ConfigGroupDeclaration[] = [
  {
    code: 'platform_captcha',
    name: texts.of('platform_captcha'),
    icon: 'picture',
    parent: 'platform_security',
    sort: 50,
    scope: 'ADMIN_ONLY',
    items: [
      switchItem('login_captcha_enabled', texts.of('login_captcha_enabled'), shown),
      {
        key: 'captcha_provider',
        type: 'SELECT',
        name: texts.of('captcha_provider'),
        default: 'image',
        required: true,
        public: true,
        dynamicOptions: true,
        optionsSource: 'captcha.providers',
        options: [image],
      },
      pluginItem,
      {
        key: 'captcha_difficulty',
        type: 'SELECT',
        name: texts.of('captcha_difficulty'),
        default: 'medium',
        required: true,
        public: true,
        options: difficulties,
      },
      numberItem('captcha_enable_threshold_admin', texts.of('captcha_enable_threshold_admin'), [3, 0, 20], shown),
      numberItem('captcha_ttl_seconds', texts.of('captcha_ttl_seconds'), [120, 30, 600]),
      numberItem('captcha_challenge_limit', texts.of('captcha_challenge_limit'), [30, 1, 6000]),
      numberItem('captcha_verify_limit', texts.of('captcha_verify_limit'), [60, 1, 6000]),
    ],
  },
  {
    code: 'tenant_captcha',
    name: texts.of('tenant_captcha'),
    icon: 'picture',
    parent: 'tenant_security',
    sort: 140,
    scope: 'ALL_TENANTS',
    items: [
      switchItem('captcha_enabled', texts.of('captcha_enabled'), guarded),
      switchItem('user_login_captcha_enabled', texts.of('user_login_captcha_enabled'), guarded),
      switchItem('user_registration_captcha_enabled', texts.of('user_registration_captcha_enabled'), guarded),
      numberItem('captcha_enable_threshold', texts.of('captcha_enable_threshold'), [3, 0, 20], shown),
      numberItem(
        'user_login_captcha_enable_threshold',
        texts.of('user_login_captcha_enable_threshold'),
        [3, 0, 20],
        shown,
      ),
      {
        key: 'captcha_provider',
        type: 'SELECT',
        name: texts.of('captcha_provider'),
        description: texts.of('captcha_provider.description'),
        default: '',
        public: true,
        dynamicOptions: true,
        optionsSource: 'captcha.providers',
        options: [image],
      },
      pluginItem,
      {
        key: 'captcha_difficulty',
        type: 'SELECT',
        name: texts.of('captcha_difficulty'),
        description: texts.of('captcha_difficulty.description'),
        default: '',
        public: true,
        options: difficulties,
      },
    ],
  },
]

function numberItem(key: string, name: Localised, bounds: readonly number[], rest: Rest = {}): ConfigItemDeclaration {
  const [start, min = 0, max = 0] = bounds
  return { key, type: 'NUMBER', name, default: start, required: true, rules: { min, max }, ...rest }
}

function switchItem(key: string, name: Localised, rest: Rest): ConfigItemDeclaration {
  return { key, type: 'BOOLEAN', name, default: true, required: true, ...rest }
}
