import type { DeliveryPart } from '../../mail/contract.ts'

interface Words {
  readonly title: string
  readonly body: string
}

const titles: Readonly<Record<string, Readonly<Record<DeliveryPart, string>>>> = {
  en: {
    email: 'How e-mail is sent was changed',
    sms: 'How text messages are sent was changed',
    link: 'Links in messages lead elsewhere now',
  },
  'zh-CN': { email: '邮件的发送方式已更改', sms: '短信的发送方式已更改', link: '消息中的链接已指向新的域名' },
}

/** What administrators read in the console about a change of delivery. */
export function deliveryWords(part: DeliveryPart, by: string, locale: string | null): Words {
  const isChinese = locale?.startsWith('zh') ?? false
  const title = (titles[isChinese ? 'zh-CN' : 'en'] as Readonly<Record<DeliveryPart, string>>)[part]
  const body = isChinese
    ? `重置密码的链接今后经由新的方式送达。更改人：${by || '平台'}`
    : `Links to reset passwords take the new way from now on. Changed by: ${by || 'the platform'}`
  return { title, body }
}
