import type { Translation } from '#kernel'
import type { english } from './en.ts'

/** What this plugin says, in Chinese. */
export const texts: Translation<typeof english> = {
  'plugin.title': '知识库',
  'plugin.description': '租户的文档，按内容检索，供有权阅读的智能体和用户使用',
  tenant_knowledge: '知识库',
}

/** What its errors say in Chinese, by reason. */
export const errors = {
  knowledge_base_not_found: '没有这个知识库',
  document_not_found: '没有这个文档',
  too_many_knowledge_bases: '知识库数已达租户上限 {most}',
  too_many_documents: '知识库的文档数已达上限 {most}',
  document_busy: '文档正在建立索引',
  knowledge_invalid: '知识库的设置有误',
  document_type_unknown: '不支持读取此类型的文档',
  document_unreadable: '文档已损坏',
  document_locked: '文档需要密码',
  document_empty: '文档中没有文字',
  document_infected: '文件已被隔离',
  document_file_gone: '文档的文件已不存在',
  document_too_large: '文档过大',
  document_too_costly: '读取文档耗费的时间或内存过多',
  document_unreachable: '文档地址没有返回文档',
  document_not_indexed: '无法为文档建立索引',
  embedding_model_gone: '模型 {model} 已不存在',
  vectors_unfit: '模型返回的不是相同长度的向量',
  'rule.known_embedding_model': '没有这个向量模型',
  'rule.tenant_wanted': '请指明所属租户',
  'rule.known_role': '没有这个角色',
  'rule.known_org': '没有这个组织节点',
  'rule.known_user': '没有这个用户',
  'rule.known_attachment': '没有这个文件，或您无权读取',
  'rule.web_address': '不是 http 或 https 地址',
}
