import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { Readable } from 'node:stream'
import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from 'smtp-server'
import { until } from './until.ts'

/** A mail as the server took it, its parts decoded. */
export interface ReceivedMail {
  readonly from: string
  readonly to: readonly string[]
  /** Whether the connection was encrypted. */
  readonly secure: boolean
  /** Who signed in, if anybody. */
  readonly user: string | undefined
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>
  readonly text: string
  readonly html: string
  readonly raw: string
}

/** How the server behaves. */
export interface SmtpOptions {
  /** The only user and password it takes; anybody unless said otherwise. */
  readonly login?: { readonly user: string; readonly password: string }
  /** A certificate; with `implicit` the connection begins with it, otherwise STARTTLS is offered. */
  readonly tls?: { readonly key: string; readonly cert: string; readonly implicit?: boolean }
}

/** An SMTP server on loopback. */
export interface SmtpServer extends AsyncDisposable {
  readonly port: number
  /** Everything it took, the oldest first. */
  readonly mails: readonly ReceivedMail[]
  /** Mails whose content came, whether it was taken or not. */
  readonly attempts: number
  /** How often somebody tried to sign in. */
  readonly logins: number
  /** What to do with each mail that comes: throw to refuse it, wait to hold it. */
  onMail: (mail: ReceivedMail) => void | Promise<void>
  /** What to do with each recipient: throw to refuse it. */
  onRecipient: (address: string) => void
  /** The first mail to somebody, as soon as it is there. */
  mailTo(address: string): Promise<ReceivedMail>
  /** Values of the configuration group `platform_mail` that lead to it. */
  readonly settings: Readonly<Record<string, string | number>>
}

/** Ports that the servers of this process take, known beforehand: a platform is told at its start where it may go. */
const ports = Array.from({ length: 20 }, (_, at) => 20_000 + (process.pid % 2_000) * 20 + at)

/** What lets a platform reach the servers of this process, for EGRESS_ALLOW_PRIVATE. */
export const smtpAllowance = ports.flatMap((port) => [`127.0.0.1:${port}`, `localhost:${port}`]).join(',')

/** Refuses with a status of SMTP. */
export function smtpError(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode })
}

/** Starts a server on a free port of loopback. */
export async function startSmtpServer({ login, tls }: SmtpOptions = {}): Promise<SmtpServer> {
  const mails: ReceivedMail[] = []
  const counts = { attempts: 0, logins: 0 }
  const server = new SMTPServer({
    ...commonOptions(tls),
    authOptional: !login,
    onAuth({ username, password }, _session, callback) {
      counts.logins++
      const fits = !login || (username === login.user && password === login.password)
      if (fits) callback(null, { user: username })
      else callback(smtpError(535, 'Authentication failed'))
    },
    onRcptTo({ address }, _session, callback) {
      answer(() => running.onRecipient(address), callback)
    },
    onData(stream, session, callback) {
      answer(async () => {
        const mail = readMail(await readAll(stream), session)
        counts.attempts++
        await running.onMail(mail)
        mails.push(mail)
      }, callback)
    },
  })
  // A client that goes away in the middle is what some tests are about.
  server.on('error', () => undefined)
  await listen(server)
  const { port } = server.server.address() as AddressInfo
  const security = tls ? (tls.implicit ? 'tls' : 'starttls') : 'none'
  const user = login && { smtp_user: login.user, smtp_password: login.password }
  const running: SmtpServer = {
    port,
    mails,
    get attempts() {
      return counts.attempts
    },
    get logins() {
      return counts.logins
    },
    onMail: () => undefined,
    onRecipient: () => undefined,
    async mailTo(address) {
      await until(() => mails.some(({ to }) => to.includes(address)), 30_000)
      return mails.find(({ to }) => to.includes(address)) as ReceivedMail
    },
    settings: {
      mail_driver: 'smtp',
      smtp_host: tls ? 'localhost' : '127.0.0.1',
      smtp_port: port,
      smtp_security: security,
      mail_from: 'stoa@stoa.test',
      ...user,
    },
    [Symbol.asyncDispose]: () => close(server),
  }
  return running
}

async function listen(server: SMTPServer): Promise<void> {
  for (const port of ports) {
    server.listen(port, '127.0.0.1')
    const taken = await Promise.race([
      once(server.server, 'listening').then(() => false),
      new Promise<boolean>((resolve) => server.server.once('error', () => resolve(true))),
    ]).catch(() => true)
    if (!taken) return
  }
  throw new Error('Every port of this process is taken')
}

function commonOptions(tls: SmtpOptions['tls']): SMTPServerOptions {
  const certificate = tls ? { key: tls.key, cert: tls.cert, secure: tls.implicit ?? false } : {}
  const hidden = tls ? [] : ['STARTTLS']
  return { ...certificate, hideSTARTTLS: !tls, disabledCommands: hidden, disableReverseLookup: true, closeTimeout: 100 }
}

function answer(work: () => void | Promise<void>, callback: (error?: Error | null) => void): void {
  Promise.resolve()
    .then(work)
    .then(
      () => callback(),
      (error: unknown) => callback(error as Error),
    )
}

function close(server: SMTPServer): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()))
}

async function readAll(stream: Readable): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

function readMail(raw: string, session: SMTPServerSession): ReceivedMail {
  const { headers, body } = readEntity(raw)
  const boundary = /boundary="?([^";]+)/i.exec(headers.get('content-type') ?? '')?.[1]
  const parts = boundary === undefined ? [raw] : body.split(`--${boundary}`).slice(1, -1)
  const entities = parts.map((part) => readEntity(part.replace(/^\r\n/, '')))
  const find = (type: string): string => {
    const entity = entities.find((each) => each.headers.get('content-type')?.startsWith(type))
    return entity ? decodeBody(entity.body, entity.headers.get('content-transfer-encoding')) : ''
  }
  const { mailFrom, rcptTo } = session.envelope
  return {
    from: mailFrom === false ? '' : mailFrom.address,
    to: rcptTo.map(({ address }) => address),
    secure: session.secure,
    user: session.user as string | undefined,
    headers: new Map([...headers].map(([name, value]) => [name, decodeWords(value)])),
    text: find('text/plain'),
    html: find('text/html'),
    raw,
  }
}

/** Headers, unfolded, and what follows the empty line. */
function readEntity(raw: string): { readonly headers: ReadonlyMap<string, string>; readonly body: string } {
  const end = raw.indexOf('\r\n\r\n')
  const lines = raw
    .slice(0, end)
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n')
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
  })
  return { headers: new Map(headers), body: raw.slice(end + 4) }
}

function decodeBody(body: string, encoding = '7bit'): string {
  const text = body.replace(/\r\n$/, '')
  if (encoding === 'base64') return Buffer.from(text, 'base64').toString('utf8')
  return (encoding === 'quoted-printable' ? decodeQuoted(text.replace(/=\r\n/g, '')) : text).replaceAll('\r\n', '\n')
}

function decodeQuoted(text: string): string {
  const bytes = text.replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString('utf8')
}

/** Encoded words of RFC 2047; those that follow each other are one. */
function decodeWords(value: string): string {
  return value
    .replace(/(\?=)\s+(=\?)/g, '$1$2')
    .replace(/=\?utf-8\?([BQ])\?([^?]*)\?=/gi, (_, kind: string, text: string) => {
      if (kind.toUpperCase() === 'B') return Buffer.from(text, 'base64').toString('utf8')
      return decodeQuoted(text.replaceAll('_', ' '))
    })
}
