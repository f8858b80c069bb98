import type { ConfigGroupDeclaration, ConfigItemDeclaration } from '#kernel'

type Texts = readonly [english: string, chinese: string]
type Rest = Partial<ConfigItemDeclaration>

const shown = { public: true } as const
const guarded = { ...shown, approval: 'sensitive' } as const
const image = { label: { default: 'Image', 'zh-CN': '图片' }, value: 'image' }
const difficulties = [
  { label: { default: 'Easy', 'zh-CN': '简单' }, value: 'easy' },
  { label: { default: 'Medium', 'zh-CN': '中等' }, value: 'medium' },
  { label: { default: 'Hard', 'zh-CN': '困难' }, value: 'hard' },
]
/** Which plugin's captcha it is, where the provider is one of a plugin. */
const pluginItem: ConfigItemDeclaration = {
  key: 'captcha_plugin',
  type: 'STRING',
  name: { default: 'Plugin', 'zh-CN': '验证码插件' },
  default: '',
  public: true,
}

/** When people must prove that they are some, and how: the platform's own and, for its users, each tenant's. */
export const groups: readonly ConfigGroupDeclaration[] = [
  {
    code: 'platform_captcha',
    name: { default: 'Captcha', 'zh-CN': '验证码' },
    icon: 'picture',
    parent: 'platform_security',
    sort: 50,
    scope: 'ADMIN_ONLY',
    items: [
      switchItem('login_captcha_enabled', ['Captcha at sign-in', '登录验证码'], shown),
      {
        key: 'captcha_provider',
        type: 'SELECT',
        name: { default: 'Provider', 'zh-CN': '验证码类型' },
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
        name: { default: 'Difficulty', 'zh-CN': '难度' },
        default: 'medium',
        required: true,
        public: true,
        options: difficulties,
      },
      numberItem(
        'captcha_enable_threshold_admin',
        ['Failed logins before a captcha', '触发验证码的失败次数'],
        [3, 0, 20],
        shown,
      ),
      numberItem('captcha_ttl_seconds', ['Seconds a challenge lives', '验证码有效秒数'], [120, 30, 600]),
      numberItem(
        'captcha_challenge_limit',
        ['Challenges per minute and address', '每分钟每 IP 获取次数'],
        [30, 1, 6000],
      ),
      numberItem('captcha_verify_limit', ['Answers per minute and address', '每分钟每 IP 验证次数'], [60, 1, 6000]),
    ],
  },
  {
    code: 'tenant_captcha',
    name: { default: 'Captcha', 'zh-CN': '验证码' },
    icon: 'picture',
    parent: 'tenant_security',
    sort: 140,
    scope: 'ALL_TENANTS',
    items: [
      switchItem('captcha_enabled', ['Captcha', '启用验证码'], guarded),
      switchItem('user_login_captcha_enabled', ['Captcha at sign-in', '登录验证码'], guarded),
      switchItem('user_registration_captcha_enabled', ['Captcha at registration', '注册验证码'], guarded),
      numberItem(
        'captcha_enable_threshold',
        ['Failed logins before a captcha, back office', '后台触发验证码的失败次数'],
        [3, 0, 20],
        shown,
      ),
      numberItem(
        'user_login_captcha_enable_threshold',
        ['Failed logins before a captcha, users', '用户触发验证码的失败次数'],
        [3, 0, 20],
        shown,
      ),
      {
        key: 'captcha_provider',
        type: 'SELECT',
        name: { default: 'Provider', 'zh-CN': '验证码类型' },
        description: { default: 'Empty means the platform’s', 'zh-CN': '留空则使用平台设置' },
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
        name: { default: 'Difficulty', 'zh-CN': '难度' },
        description: { default: 'Empty means the platform’s', 'zh-CN': '留空则使用平台设置' },
        default: '',
        public: true,
        options: difficulties,
      },
    ],
  },
]

function numberItem(
  key: string,
  [english, chinese]: Texts,
  bounds: readonly number[],
  rest: Rest = {},
): ConfigItemDeclaration {
  const [start, min = 0, max = 0] = bounds
  const name = { default: english, 'zh-CN': chinese }
  return { key, type: 'NUMBER', name, default: start, required: true, rules: { min, max }, ...rest }
}

function switchItem(key: string, [english, chinese]: Texts, rest: Rest): ConfigItemDeclaration {
  return { key, type: 'BOOLEAN', name: { default: english, 'zh-CN': chinese }, default: true, required: true, ...rest }
}
