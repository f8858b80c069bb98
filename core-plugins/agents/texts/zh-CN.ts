import type { Translation } from '#kernel'
import type { english } from './en.ts'

/** What this plugin says, in Chinese. */
export const texts: Translation<typeof english> = {
  'plugin.title': '智能体',
  'plugin.description': 'AI 智能体：由管理员制作，按版本发布，供有权限的人使用',
  tenant_agents: '智能体',
}

/** What its errors say in Chinese, by reason. */
export const errors = {
  agent_not_found: '没有这个智能体',
  agent_version_not_found: '没有这个版本',
  agent_code_taken: '已有使用此代码的智能体',
  agent_not_published: '该智能体尚未发布',
  agent_invalid: '智能体的设置有误',
  'rule.tenant_wanted': '请指明所属租户',
  'rule.chat_model': '没有可用于对话的这个模型',
  'rule.known_tool': '没有正在运行的插件提供此工具',
  'rule.unique_tools': '每个工具只能列出一次',
  'rule.known_pattern': '不是正则表达式',
  'rule.known_role': '没有这个角色',
  'rule.known_org': '没有这个组织节点',
  'rule.known_user': '没有这个用户',
  'rule.agent_file': '不是智能体文件',
}

/** What its permissions let one do, by the sentence in English. */
export const permissions = {
  'List AI agents': '列出 AI 智能体',
  'Read an AI agent with its instructions and versions, and which tools there are':
    '查看 AI 智能体及其指令、版本和可用工具',
  'Add AI agents, also copies and imported ones': '添加 AI 智能体，包括复制和导入',
  'Change drafts of AI agents, and who may use them': '修改 AI 智能体的草稿和使用范围',
  'Publish AI agents, go back to an earlier version, and take them back': '发布、回退和下线 AI 智能体',
  'Delete AI agents': '删除 AI 智能体',
  'List the AI agents that one may use': '列出可以使用的 AI 智能体',
  'Chat with AI agents': '与 AI 智能体对话',
}
