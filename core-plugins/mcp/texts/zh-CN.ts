import type { Translation } from '#kernel'
import type { english } from './en.ts'

/** What this plugin says, in Chinese. */
export const texts: Translation<typeof english> = {
  'plugin.title': 'MCP',
  'plugin.description': '双向的模型上下文协议：让智能体使用其他服务器的工具，也让其他程序使用本平台的工具',
  admin_ai_mcp: 'MCP 服务器',
  tenant_mcp: 'MCP 服务器',
}

/** What its errors say in Chinese, by reason. */
export const errors = {
  mcp_server_not_found: '没有这个 MCP 服务器',
  mcp_server_name_taken: '已有同名的 MCP 服务器',
  too_many_mcp_servers: 'MCP 服务器数已达租户上限 {most}',
  mcp_invalid: 'MCP 服务器的设置有误',
  mcp_tool_changed: '该工具已经变化，请重新查看',
  mcp_unreachable: '无法连接 MCP 服务器',
  mcp_timeout: 'MCP 服务器响应超时',
  mcp_auth_failed: 'MCP 服务器拒绝了凭据',
  mcp_bad_answer: 'MCP 服务器的回答无法使用：{why}',
  mcp_answer_too_large: 'MCP 服务器的回答过大',
  mcp_refused: 'MCP 服务器拒绝了请求：{why}',
  mcp_tool_failed: '工具执行失败：{why}',
  mcp_server_busy: '同时调用该 MCP 服务器的请求过多',
  mcp_tool_off: '没有这个工具',
  mcp_key_scope: '此密钥不能用于模型上下文协议',
  mcp_origin: '不允许来自此来源的页面调用',
  mcp_quota_exceeded: '配额 {quota} 已用完',
  mcp_too_many_streams: '同时打开的流过多',
  'rule.own_tenant': '必须是自己的租户',
  'rule.reserved_header': '由平台设置',
  'rule.not_for_type': '不适用于此类型',
  'rule.secret_again': '地址已更改，必须重新填写',
  'rule.address_forbidden': '不在公网上，且运营者未允许',
  'rule.https': '必须使用 https：机密不以明文发送',
  'rule.allowed_tool': '不是已允许的工具',
  'rule.fit_tool': '该工具不能使用',
}

/** What its permissions let one do, by the sentence in English. */
export const permissions = {
  'List MCP servers, without their secrets': '列出 MCP 服务器（不含密钥）',
  'Read an MCP server with its tools, without its secrets': '查看 MCP 服务器及其工具（不含密钥）',
  'Add MCP servers': '添加 MCP 服务器',
  'Change MCP servers, set their secrets, and allow and approve their tools':
    '修改 MCP 服务器、设置密钥，并允许和批准其工具',
  'Delete MCP servers': '删除 MCP 服务器',
  'Test MCP servers': '测试 MCP 服务器',
}
