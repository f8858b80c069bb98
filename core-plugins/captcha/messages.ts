/** The plugin's texts in other languages than English, by reason. */
export const messages = {
  'zh-CN': {
    captcha_required: '请先完成验证码',
    captcha_invalid: '验证码未通过',
    captcha_capability_missing: '插件 {plugin} 不提供验证码',
    captcha_provider_taken: '验证码类型 {provider} 已存在',
    captcha_provider_unknown: '没有验证码类型 {provider}',
    captcha_rate_limited: '验证码请求过于频繁，请稍候',
    captcha_provider_error: '验证码 {provider} 出错',
    captcha_overloaded: '正在生成的验证码过多，请稍后重试',
  },
} as const
