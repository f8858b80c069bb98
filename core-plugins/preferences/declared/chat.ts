import type { PreferenceDeclaration } from '../contract.ts'

/** Conversations, and being told of things. */
export const chat: readonly PreferenceDeclaration[] = [
  {
    key: 'chat_send_key',
    name: { default: 'Key that sends a message', 'zh-CN': '发送消息的按键' },
    schema: { enum: ['enter', 'ctrl_enter'] },
    default: 'enter',
  },
  {
    key: 'chat_stream',
    name: { default: 'Show answers while they are written', 'zh-CN': '流式显示回答' },
    schema: { type: 'boolean' },
    default: true,
  },
  {
    key: 'default_agent_id',
    name: { default: 'Agent of a new conversation', 'zh-CN': '新会话的默认智能体' },
    // Null leaves the choice open.
    schema: { type: ['integer', 'null'], minimum: 1, maximum: 2_147_483_647 },
    default: null,
  },
  {
    key: 'notification_sound',
    name: { default: 'Sound of notifications', 'zh-CN': '通知声音' },
    schema: { type: 'boolean' },
    default: true,
  },
  {
    key: 'email_digest',
    name: { default: 'Summary by e-mail', 'zh-CN': '邮件摘要' },
    schema: { enum: ['off', 'daily', 'weekly'] },
    default: 'off',
  },
]
