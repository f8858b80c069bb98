import type { Translation } from '#kernel'
import type { english } from './en.ts'

/** What this plugin says, in Chinese. */
export const texts: Translation<typeof english> = {
  not_offered: '此处不可用',
  image: '图片',
  'difficulty.easy': '简单',
  'difficulty.medium': '中等',
  'difficulty.hard': '困难',
  captcha_plugin: '验证码插件',
  platform_captcha: '验证码',
  login_captcha_enabled: '登录验证码',
  captcha_provider: '验证码类型',
  captcha_difficulty: '难度',
  captcha_enable_threshold_admin: '触发验证码的失败次数',
  captcha_ttl_seconds: '验证码有效秒数',
  captcha_challenge_limit: '每分钟每 IP 获取次数',
  captcha_verify_limit: '每分钟每 IP 验证次数',
  tenant_captcha: '验证码',
  captcha_enabled: '启用验证码',
  user_login_captcha_enabled: '登录验证码',
  user_registration_captcha_enabled: '注册验证码',
  captcha_enable_threshold: '后台触发验证码的失败次数',
  user_login_captcha_enable_threshold: '用户触发验证码的失败次数',
  'captcha_provider.description': '留空则使用平台设置',
  'captcha_difficulty.description': '留空则使用平台设置',
  'plugin.title': '验证码',
  'plugin.description': '区分人与程序',
}

/** What its errors say in Chinese, by reason. */
export const errors = {
  captcha_required: '请先完成验证码',
  captcha_invalid: '验证码未通过',
  captcha_capability_missing: '插件 {plugin} 不提供验证码',
  captcha_provider_taken: '验证码类型 {provider} 已存在',
  captcha_provider_unknown: '没有验证码类型 {provider}',
  captcha_rate_limited: '验证码请求过于频繁，请稍候',
  captcha_provider_error: '验证码 {provider} 出错',
  captcha_overloaded: '正在生成的验证码过多，请稍后重试',
}
