import { fillTemplate } from '#kernel'
import type { DnsIssue, IssueReason } from './dns-readiness.ts'

interface Text {
  readonly message: string
  readonly fix: string
}

const english: Readonly<Record<IssueReason, Text>> = {
  not_pointing_here: {
    message: '{domain} leads elsewhere',
    fix: 'Point its A and AAAA records to {ips}, and remove all others',
  },
  nxdomain: { message: '{domain} has no address', fix: 'Add an A record to {ips}, or a CNAME record to {cname}' },
  caa_forbids: {
    message: 'The CAA records of {domain} forbid {authority} to issue',
    fix: 'Add a CAA record: 0 issue "{authority}"',
  },
  acme_conflict: {
    message: '_acme-challenge.{domain} is an alias of {conflict}',
    fix: 'Remove the CNAME record of _acme-challenge.{domain}',
  },
  no_expected_ip: {
    message: 'It is not known where {domain} should lead',
    fix: 'Set the addresses of the servers (server_ips), or make {domain} a CNAME to {cname}',
  },
  private_name: { message: '{domain} is not a public name', fix: 'Use a name that the whole world can look up' },
  dns_failed: { message: 'No name server answers for {domain}', fix: 'Check its name servers and try again' },
}

const chinese: Readonly<Record<IssueReason, Text>> = {
  not_pointing_here: { message: '{domain} 指向了别处', fix: '将 A 和 AAAA 记录指向 {ips}，并删除其他记录' },
  nxdomain: { message: '{domain} 没有解析记录', fix: '添加指向 {ips} 的 A 记录，或指向 {cname} 的 CNAME 记录' },
  caa_forbids: {
    message: '{domain} 的 CAA 记录禁止 {authority} 签发证书',
    fix: '添加 CAA 记录：0 issue "{authority}"',
  },
  acme_conflict: {
    message: '_acme-challenge.{domain} 是 {conflict} 的别名',
    fix: '删除 _acme-challenge.{domain} 的 CNAME 记录',
  },
  no_expected_ip: {
    message: '不知道 {domain} 应指向哪里',
    fix: '设置服务器地址（server_ips），或将 {domain} 设为 {cname} 的 CNAME',
  },
  private_name: { message: '{domain} 不是公网域名', fix: '请使用可公开解析的域名' },
  dns_failed: { message: '{domain} 的域名服务器没有应答', fix: '检查域名服务器后重试' },
}

/** An issue with its sentence and what to do about it. */
export function presentIssue({ reason, params }: DnsIssue, locale: string) {
  const { message, fix } = (locale === 'zh-CN' ? chinese : english)[reason]
  return { reason, message: fillTemplate(message, params), fix: fillTemplate(fix, params) }
}
