/**
 * A tenant's code is its subdomain. These names mean something else there: to the platform, to browsers and mail programs that look
 * for a server under them, and to certificate authorities and people, who take mail of them for the operator's (RFC 2142, 6761).
 */
const reserved: ReadonlySet<string> = new Set([
  ...['www', 'api', 'admin', 'console', 'app', 'static', 'cdn', 'tenants', 'platform', 'status', 'root', 'localhost'],
  ...['mail', 'smtp', 'smtps', 'submission', 'imap', 'imaps', 'pop', 'pop3', 'pop3s', 'mx', 'webmail', 'mailer-daemon'],
  ...[
    'autodiscover',
    'autoconfig',
    'wpad',
    'isatap',
    'mta-sts',
    'openpgpkey',
    'ftp',
    'sftp',
    'ssh',
    'ldap',
    'sip',
    'ntp',
  ],
  ...['ns', 'dns', 'whois', 'caldav', 'carddav', 'local', 'invalid', 'example', 'test', 'onion', 'broadcasthost'],
  ...['postmaster', 'hostmaster', 'webmaster', 'administrator', 'abuse', 'noc', 'security', 'info', 'support', 'sales'],
  ...[
    'marketing',
    'usenet',
    'news',
    'uucp',
    'ssladmin',
    'ssladministrator',
    'sslwebmaster',
    'sysadmin',
    'is',
    'it',
    'mis',
  ],
  ...['no-reply', 'noreply'],
])
/** Servers of one kind are numbered. */
const numbered = /^(ns|mx|dns|smtp|imap|pop|mail|www)\d+$/

/** Whether a code means something else than a tenant; punycode could pass for another's. */
export function isReservedCode(code: string): boolean {
  return reserved.has(code) || numbered.test(code) || code.startsWith('xn--')
}
