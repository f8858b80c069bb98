import type { Socket } from 'node:net'
import { createTransport } from 'nodemailer'
import type { GuardedConnect } from '#kernel'
import type { SmtpSettings } from './smtp-settings.ts'

/** For the connection, for the greeting and for each silence after it. */
const usualMs = 10_000
const connections = 4

/** Opens a pool of connections to the server; with `starttls` and `tls` it speaks to no server whose certificate does not verify, and never to a private address that the operator does not allow. */
export function openSmtpTransport(
  { host, port, security, user, password }: SmtpSettings,
  connect: GuardedConnect,
  timeoutMs = usualMs,
) {
  return createTransport({
    pool: true,
    getSocket(_: unknown, callback: (error: Error | null, found?: { connection: Socket }) => void) {
      connect(host, port, timeoutMs).then(
        (connection) => callback(null, { connection }),
        (error: Error) => callback(error),
      )
    },
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
