import type { Translation } from '#kernel'
import type { english } from './en.ts'

/** What this plugin says, in Chinese. */
export const texts: Translation<typeof english> = {
  'plugin.title': '租户',
  'plugin.description': '租户及其域名',
  tenant_domains: '域名',
  admin_tenants: '租户',
  'dns.txt': '添加 TXT 记录 {txtName}，值为 {txtValue}',
  'dns.cname': '添加 CNAME 记录 {cnameName}，指向 {cnameTarget}',
  'dns.apex': '根域名：不能使用 CNAME，请使用指向 {cnameTarget} 的 ALIAS/ANAME 记录',
  'dns.apexWithAddresses': '根域名：请使用指向 {cnameTarget} 的 ALIAS/ANAME 记录，或指向 {addresses} 的 A 记录',
  'dns.proxy': '如已开启 DNS 代理，请在验证完成前关闭',
}

/** What its errors say in Chinese, by reason. */
export const errors = {
  tenant_code_taken: '该租户编码已存在',
  domain_taken: '域名 {domain} 已被其他租户绑定',
  domain_invalid: '{domain} 不能作为租户域名',
  domain_bound: '租户已绑定域名 {domain}',
  domain_limit: '每个租户最多绑定 {limit} 个域名',
  domain_unverified: '域名 {domain} 尚未验证',
  'is reserved': '该编码已被保留',
}

/** What its permissions let one do, by the sentence in English. */
export const permissions = {
  'List tenants': '列出租户',
  'Read a tenant': '查看租户',
  'Create tenants with their owners': '创建租户及其所有者',
  'Change, disable and enable tenants': '修改、停用和启用租户',
  'Delete tenants': '删除租户',
  'Act for a tenant for a while': '暂时代表租户操作',
  'List the tenant’s domains': '列出租户域名',
  'Bind domains to the tenant': '为租户绑定域名',
  'Have a domain verified': '验证域名',
  'Unbind domains': '解绑域名',
}
