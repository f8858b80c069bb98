import type { ConfigReader } from '../../config/contract.ts'

/** The SMTP server and how to speak to it. */
export interface SmtpSettings {
  readonly host: string
  readonly port: number
  readonly security: 'none' | 'starttls' | 'tls'
  readonly user: string
  readonly password: string
  readonly from: string
}

/** Reads the group `platform_mail`. */
export async function readSmtpSettings(config: ConfigReader): Promise<SmtpSettings> {
  const [host, port, security, user, password, from] = await Promise.all([
    config.get('smtp_host', 0, ''),
    config.get('smtp_port', 0, 587),
    config.get<SmtpSettings['security']>('smtp_security', 0, 'starttls'),
    config.get('smtp_user', 0, ''),
    config.get('smtp_password', 0, ''),
    config.get('mail_from', 0, ''),
  ])
  // Many servers name their users by address, and then it is the address to write from.
  return { host, port, security, user, password, from: from || (user.includes('@') ? user : '') }
}
