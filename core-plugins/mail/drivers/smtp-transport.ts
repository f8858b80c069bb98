import { createTransport } from 'nodemailer'
import type { SmtpSettings } from './smtp-settings.ts'

/** For the connection, for the greeting and for each silence after it. */
const timeoutMs = 10_000
const connections = 4

/** Opens a pool of connections to the server; with `starttls` and `tls` it speaks to no server whose certificate does not verify. */
export function openSmtpTransport({ host, port, security, user, password }: SmtpSettings) {
  return createTransport({
    pool: true,
    host,
    port,
    secure: security === 'tls',
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'none',
    tls: { minVersion: 'TLSv1.2' },
    ...(user !== '' && { auth: { user, pass: password } }),
    maxConnections: connections,
    // A pooled connection may have been closed by the server in between; more often is the outbox's business.
    maxRequeues: 1,
    idleTimeout: timeoutMs,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
    logger: false,
  })
}
