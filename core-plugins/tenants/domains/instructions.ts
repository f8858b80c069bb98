import { fillTemplate } from '#kernel'
import type { DomainChallenge } from './challenge.ts'

interface Texts {
  readonly txt: string
  readonly cname: string
  readonly apex: string
  readonly apexWithAddresses: string
  readonly proxy: string
}

const english: Texts = {
  txt: 'Add a TXT record {txtName} with the value {txtValue}',
  cname: 'Add a CNAME record {cnameName} that points to {cnameTarget}',
  apex: 'Apex domain: use ALIAS/ANAME to {cnameTarget}, because no CNAME may stand there',
  apexWithAddresses: 'Apex domain: use ALIAS/ANAME to {cnameTarget}, or A records to {addresses}',
  proxy: 'If your DNS proxy is on, switch it off until verified',
}

const chinese: Texts = {
  txt: '添加 TXT 记录 {txtName}，值为 {txtValue}',
  cname: '添加 CNAME 记录 {cnameName}，指向 {cnameTarget}',
  apex: '根域名：不能使用 CNAME，请使用指向 {cnameTarget} 的 ALIAS/ANAME 记录',
  apexWithAddresses: '根域名：请使用指向 {cnameTarget} 的 ALIAS/ANAME 记录，或指向 {addresses} 的 A 记录',
  proxy: '如已开启 DNS 代理，请在验证完成前关闭',
}

/** Tells a tenant what to put into its zone. */
export function listInstructions(challenge: DomainChallenge, locale: string): readonly string[] {
  const texts = locale === 'zh-CN' ? chinese : english
  const { txtName, txtValue, cnameName, cnameTarget, serverIps } = challenge
  const apex = serverIps.length > 0 ? texts.apexWithAddresses : texts.apex
  const values = { txtName, txtValue, cnameName, cnameTarget, addresses: serverIps.join(', ') }
  const lines = [challenge.isApex ? apex : texts.cname, texts.txt, texts.proxy]
  return lines.map((line) => fillTemplate(line, values))
}
