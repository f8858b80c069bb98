import type { Translation } from '#kernel'
import type { english } from './en.ts'

/** What this plugin says, in Chinese. */
export const texts: Translation<typeof english> = {
  'plugin.title': '对话',
  'plugin.description': '与 AI 智能体对话，支持普通与流式回答',
  user_chat: '对话',
  user_conversations: '会话记录',
  ai_routing_model: '选择智能体的模型',
  'ai_routing_model.description': '在规则与词语都不确定时询问；留空则不询问',
  ai_routing_embedding_model: '比较智能体的嵌入模型',
  'ai_routing_embedding_model.description': '在规则与词语都不确定时先于上述模型询问；留空则不询问',
  ai_default_agent: '默认智能体',
  'ai_default_agent.description': '在没有合适的智能体时作答；填写其代码',
  tenant_chat: '对话',
  ai_compaction: '压缩长会话',
  'ai_compaction.description': '超出模型阅读长度的较早消息以摘要形式告知模型，用户仍可看到全部消息',
  ai_compaction_model: '压缩所用模型',
  'ai_compaction_model.description': '模型名称；为空时使用智能体自身的模型',
}

/** What its errors say in Chinese, by reason. */
export const errors = {
  conversation_not_found: '没有这个会话',
  message_not_found: '没有这条消息',
  run_not_found: '没有这次运行',
  conversation_busy: '该会话正在回答中',
  run_events_gone: '这次运行的事件已不再保留',
  run_interrupted: '回答在中途被平台中断',
  confirmation_over: '已没有等待确认的调用',
  shared_conversation_not_found: '没有这个链接',
  nothing_to_share: '还没有可分享的回答',
  tool_quota_exceeded: '工具调用配额 {quota} 已用完',
  agent_request: '{field} 由智能体自行决定',
  no_agent: '没有可用的智能体',
  'rule.known_kind': '未知的类型',
  agent_cannot: '该智能体的模型无法处理此内容',
  'rule.known_attachment': '没有可读取的此文件',
  'rule.attachment_vision': '该智能体无法查看图片',
  'rule.attachment_type': '无法读取此类文件',
  'rule.attachment_size': '文件过大',
  'rule.attachment_length': '文件内容过长',
  'rule.message_files': '文件过多',
  nothing_to_compact: '还没有可以压缩的内容',
  chat_invalid: '消息有误',
  'rule.parent_wanted': '请指明要重新回答的提问',
  'rule.message_length': '消息过长',
  'rule.message_wanted': '请填写消息',
  'rule.known_parent': '该会话中没有这条消息',
  'rule.regenerates_question': '只能对提问重新生成回答',
  'rule.known_call': '没有等待确认的此调用',
  'rule.agent_decides': '由智能体决定',
}

/** What its permissions let one do, by the sentence in English. */
export const permissions = {
  'List one’s own conversations': '列出自己的对话',
  'Read one’s own conversations': '查看自己的对话',
  'Name, pin, archive and share one’s own conversations, and judge answers':
    '命名、置顶、归档和分享自己的对话，并评价回答',
  'Delete one’s own conversations': '删除自己的对话',
}
