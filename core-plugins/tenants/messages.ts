/** The plugin's texts in other languages than English, by reason. */
export const messages = {
  'zh-CN': {
    tenant_code_taken: '该租户编码已存在',
    domain_taken: '域名 {domain} 已被其他租户绑定',
    domain_invalid: '{domain} 不能作为租户域名',
  },
} as const
