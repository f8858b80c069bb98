import type { Translated } from './language.ts'

const notYou = '如非本人操作，请立即修改密码并告知管理员。'
const facts = ['时间：{time}', '设备：{device}', 'IP 地址：{ip}']

/** Simplified Chinese. */
export const words: Translated = {
  greetings: ['{nickname}，您好：', '您好：'],
  closings: ['{tenant} · {site}', '{site}'],
  sms: '【{sender}】{text}',
  space: '',
  texts: {
    login_code: {
      subject: '{sender} 登录验证码',
      email: [
        '您登录 {sender} 的验证码：\n{code}',
        '{minutes} 分钟内有效，仅可使用一次。',
        '任何人都不会向您索要验证码。如非本人操作，请忽略本邮件。',
      ],
      sms: ['登录验证码 {code}。', '{minutes} 分钟内有效。', '请勿告知他人。'],
    },
    reset_code: {
      subject: '{sender} 重置密码验证码',
      email: [
        '您重置 {sender} 密码的验证码：\n{code}',
        '{minutes} 分钟内有效，仅可使用一次。',
        '任何人都不会向您索要验证码。如非本人操作，请忽略本邮件，您的密码不会改变。',
      ],
      sms: ['重置密码验证码 {code}。', '{minutes} 分钟内有效。', '请勿告知他人。'],
    },
    reset_link: {
      subject: '重置您的 {sender} 密码',
      email: [
        '打开以下链接，为 {sender} 设置新密码：\n{link}',
        '{minutes} 分钟内有效，仅可使用一次。',
        '如非本人操作，请忽略本邮件，您的密码不会改变。',
      ],
      sms: ['重置密码：{link} 。', '{minutes} 分钟内有效。'],
    },
    verify_email: {
      subject: '验证您的 {sender} 邮箱',
      email: [
        '用此验证码确认该邮箱属于您：\n{code}',
        '打开以下链接，确认该邮箱属于您：\n{link}',
        '{hours} 小时内有效。',
        '如果您没有注册 {sender}，请忽略本邮件。',
      ],
      sms: ['确认验证码 {code}。', '确认链接：{link} 。', '{hours} 小时内有效。'],
    },
    address_taken: {
      subject: '您已有 {sender} 的账号',
      email: [
        '有人（可能是您）用此邮箱注册 {sender}。该邮箱已有账号，账号未作任何更改。',
        '请在此登录，或在此重置密码：\n{link}',
        '如果不是您本人操作，无需处理。',
      ],
      sms: ['您已有账号，请登录：{link}'],
    },
    number_taken: {
      subject: '有人使用您的手机号注册 {sender}',
      email: [
        '有人（可能是您）注册 {sender} 时填写了您账号的手机号。该手机号仍属于您的账号，账号未作任何更改。',
        '如果是您本人，请登录已有账号：\n{link}',
        '如果不是您本人操作，无需处理。',
      ],
      sms: ['有人使用您的手机号注册，该号码仍属于您的账号：{link}'],
    },
    invitation: {
      subject: '邀请您加入 {sender}',
      email: [
        '{inviter} 邀请您加入 {sender}。',
        '在此接受加入 {sender} 的邀请：\n{link}',
        '您的邀请码：\n{code}',
        '{hours} 小时内有效。',
        '{days} 天内有效。',
        '如果您不了解 {sender}，请忽略本邮件。',
      ],
      sms: ['邀请您加入：{link} 。', '邀请码 {code}。'],
    },
    registration_approved: {
      subject: '您在 {sender} 的注册已通过',
      email: ['您在 {sender} 的注册已通过，现在可以登录。', '{link}'],
      sms: ['您的注册已通过，现在可以登录。'],
    },
    registration_rejected: {
      subject: '您在 {sender} 的注册结果',
      email: ['您在 {sender} 的注册未通过。', '原因：{reason}'],
      sms: ['您的注册未通过。'],
    },
    password_changed: {
      subject: '您的 {sender} 密码已修改',
      email: ['您在 {sender} 的账号密码已修改，其他会话均已结束。', ...facts, notYou],
      sms: ['您的密码已修改。', '如非本人操作，请立即告知管理员。'],
    },
    new_device: {
      subject: '{sender} 新设备登录提醒',
      email: ['您在 {sender} 的账号在一台新设备上登录。', ...facts, notYou],
      sms: ['您的账号从 {ip} 登录。', '如非本人操作，请立即修改密码。'],
    },
    refresh_reused: {
      subject: '为保护您的账号，{sender} 的一个会话已结束',
      email: [
        '您在 {sender} 的登录令牌被重复使用，可能已被复制，该会话已结束。',
        ...facts,
        '请重新登录。如果多次收到此提醒，请修改密码并告知管理员。',
      ],
      sms: ['为保护您的账号，一个会话已结束。', '请重新登录，如再次发生请修改密码。'],
    },
    domain_failed: {
      subject: '{sender} 的域名验证已失效',
      email: [
        '证明域名归属的解析记录已连续三天缺失，该域名不再指向您的租户。',
        '域名：{domain}',
        '请恢复 TXT 记录，域名将自动重新验证。两周内未恢复，域名将被解除绑定。',
      ],
      sms: ['域名 {domain} 验证已失效，请恢复其 TXT 记录。'],
    },
    domain_superseded: {
      subject: '{sender} 的域名已被其他租户验证',
      email: [
        '另一租户已证明您的某个域名归其所有，该域名不再指向您的租户。',
        '域名：{domain}',
        '如果该域名属于您，请检查谁可以修改其 DNS 记录，并重新验证。',
      ],
      sms: ['域名 {domain} 已被其他租户验证。'],
    },
    domain_unbound: {
      subject: '{sender} 的域名已解除绑定',
      email: ['两周内无人证明该域名归您所有，因此已解除绑定。', '域名：{domain}', '您可以随时重新绑定。'],
      sms: ['域名 {domain} 两周内未通过验证，已解除绑定。'],
    },
    ai_alert: {
      subject: '{sender} AI 告警',
      email: ['{sender} 的 AI 出现异常。', '告警：{alert}', '{metric}：{value}', '开始时间：{time}'],
      sms: ['AI 出现异常。', '{alert}：{metric} {value}。'],
    },
    ai_alert_over: {
      subject: '{sender} AI 告警已解除',
      email: ['{sender} 的 AI 异常已解除。', '告警：{alert}', '开始时间：{time}'],
      sms: ['AI 异常已解除。', '{alert}。'],
    },
    notification: {
      subject: ['{title} · {sender}', '{sender} 有一条通知'],
      email: [
        '{title}',
        '{body}',
        '来自插件 {plugin}：',
        '{told_title}',
        '{told_body}',
        '在此查看：\n{link}',
        '哪些通知以邮件送达，可在偏好设置中更改。',
      ],
      sms: ['{title}'],
    },
    notification_digest: {
      subject: ['{sender} 有 {count} 条未读通知', '{sender} 有未读通知'],
      email: [
        '您尚未阅读：',
        ...Array.from({ length: 10 }, (_, at) => `· {item${at + 1}}`),
        '在此查看全部：\n{link}',
        '摘要的频率可在偏好设置中更改。',
      ],
      sms: ['{count} 条未读通知。'],
    },
    plugin_mail: {
      subject: ['{mail_subject} · {sender}', '{sender} 有一条消息'],
      email: [
        ...Array.from({ length: 20 }, (_, at) => `{mail${at + 1}}`),
        '在此查看：\n{link}',
        '本邮件由插件 {plugin} 发送，可在通知偏好设置中关闭。',
      ],
      sms: ['{mail_subject}'],
    },
    ai_report: {
      subject: '{sender} AI 用量报告',
      email: ['AI 用量与费用报告已完成。', '报告：{report}', '文件可在 {sender} 的报告列表中下载。'],
      sms: ['AI 用量报告已完成：{report}。'],
    },
    delivery_changed: {
      subject: '{sender} 的消息发送方式已更改',
      email: [
        '{sender} 发送邮件或短信的方式已被更改。重置密码的链接今后经由新的方式发送，本消息仍由原方式送达。',
        '更改人：{writer}',
        '时间：{time}',
        '如非你们本人操作，请立即检查邮件与短信设置。',
      ],
      sms: ['{sender} 的消息发送方式已更改。', '如非你们本人操作，请立即检查设置。'],
    },
    links_changed: {
      subject: '{sender} 消息中的链接已指向新的域名',
      email: [
        '{sender} 消息中的链接（包括重置密码的链接）所指向的域名已被更改。',
        '域名：{domain}',
        '更改人：{writer}',
        '时间：{time}',
        '如非你们本人操作，请立即检查域名设置。',
      ],
      sms: ['{sender} 的链接已指向新的域名。', '如非你们本人操作，请立即检查域名设置。'],
    },
    test: {
      subject: '{sender} 测试消息',
      email: ['这是一封测试邮件：{sender} 的消息可以送达。'],
      sms: ['这是一条测试短信，消息可以送达。'],
    },
  },
}
