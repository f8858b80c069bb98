/** The SMTP server and how to speak to it. */
export interface SmtpSettings {
  readonly host: string
  readonly port: number
  readonly security: 'none' | 'starttls' | 'tls'
  readonly user: string
  readonly password: string
  readonly from: string
}

/** Reads a setting, of today or of another day. */
export type ReadSetting = <T>(key: string, otherwise: T) => Promise<T>

/** Reads the group `platform_mail`. */
export async function readSmtpSettings(read: ReadSetting): Promise<SmtpSettings> {
  const [host, port, security, user, password, from] = await Promise.all([
    read('smtp_host', ''),
    read('smtp_port', 587),
    read<SmtpSettings['security']>('smtp_security', 'starttls'),
    read('smtp_user', ''),
    read('smtp_password', ''),
    read('mail_from', ''),
  ])
  // Many servers name their users by address, and then it is the address to write from.
  return { host, port, security, user, password, from: from || (user.includes('@') ? user : '') }
}
