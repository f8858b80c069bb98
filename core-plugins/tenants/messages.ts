/** The plugin's texts in other languages than English, by reason. */
export const messages = {
  'zh-CN': {
    tenant_code_taken: '该租户编码已存在',
    domain_taken: '域名 {domain} 已被其他租户绑定',
    domain_invalid: '{domain} 不能作为租户域名',
    domain_bound: '租户已绑定域名 {domain}',
    domain_limit: '每个租户最多绑定 {limit} 个域名',
    domain_unverified: '域名 {domain} 尚未验证',
    'is reserved': '该编码已被保留',
  },
} as const
