import type { Translation } from '#kernel'
import type { english } from './en.ts'

/** What this plugin says, in Chinese. */
export const texts: Translation<typeof english> = {
  theme: '主题',
  density: '界面密度',
  sidebar_collapsed: '收起侧边栏',
  page_size: '每页条数',
  home_path: '登录后的首页',
  chat_send_key: '发送消息的按键',
  chat_stream: '流式显示回答',
  default_agent_id: '新会话的默认智能体',
  notification_sound: '通知声音',
  email_digest: '邮件摘要',
  locale: '语言',
  timezone: '时区',
  date_format: '日期格式',
  'plugin.title': '偏好设置',
  'plugin.description': '用户偏好及其默认值',
  tenant_preferences: '默认偏好',
  admin_preferences: '默认偏好',
  'fault.unknown_key': '没有该偏好设置',
  'fault.too_large': 'JSON 不能超过 {max} 字节',
  'fault.type': '类型应为 {type}',
  'fault.options': '必须是可选项之一',
  'fault.required': '必填',
  'fault.pattern': '格式不符合要求',
  'fault.format': '不是有效的 {format}',
  'fault.min_value': '不能小于 {min}',
  'fault.max_value': '不能大于 {max}',
  'fault.min_length': '长度不能小于 {min}',
  'fault.max_length': '长度不能大于 {max}',
  'fault.min_items': '不能少于 {min} 项',
  'fault.max_items': '不能多于 {max} 项',
  'fault.unknown_field': '未知字段',
  'fault.other': '无效',
}

/** What its errors say in Chinese, by reason. */
export const errors = {
  preference_not_found: '没有偏好设置 {key}',
  preference_invalid: '部分偏好设置无效',
  preference_declaration_wrong: '偏好设置的声明有误：{fault}',
}

/** What its permissions let one do, by the sentence in English. */
export const permissions = {
  'Read the preferences that the platform’s staff begin with': '查看平台人员的默认偏好',
  'Change the preferences that the platform’s staff begin with': '修改平台人员的默认偏好',
  'Read the preferences that the tenant’s users begin with': '查看租户用户的默认偏好',
  'Change the preferences that the tenant’s users begin with': '修改租户用户的默认偏好',
  'Read one’s own preferences': '查看自己的偏好',
  'Change one’s own preferences': '修改自己的偏好',
}
