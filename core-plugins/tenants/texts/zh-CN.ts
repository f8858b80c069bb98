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
