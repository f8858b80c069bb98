import type { Translation } from '#kernel'
import type { english } from './en.ts'

/** What this plugin says, in Chinese. */
export const texts: Translation<typeof english> = {
  'plugin.title': '记忆',
  'plugin.description': '智能体对每位用户的记忆，仅该用户本人可见并可更正',
  tenant_memory: '记忆',
  ai_memory: '智能体记忆',
  'ai_memory.description': '记住用户谈及自身的内容，供其本人以后的会话使用，其他人不可见',
  ai_memory_model: '学习所用模型',
  'ai_memory_model.description': '模型名称；为空时使用智能体自身的模型',
  ai_memory_retention_days: '超过此天数未使用则遗忘',
  'ai_memory_retention_days.description': '0 表示保留至被删除为止',
  'preference.ai_memory': '允许智能体记住我',
  memory_save: '记住',
}

/** What its errors say in Chinese, by reason. */
export const errors = {
  memory_not_found: '没有这条记忆',
  memory_exists: '已有相同的记忆',
  memory_invalid: '此内容不能被记住',
}
