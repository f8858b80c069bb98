import type { Logger } from '#kernel'
import access from '../../../core-plugins/access/index.ts'
import config from '../../../core-plugins/config/index.ts'
import jobs from '../../../core-plugins/jobs/index.ts'
import { messageSender, type Message, type MessageSender } from '../../../core-plugins/mail/contract.ts'
import mail from '../../../core-plugins/mail/index.ts'
import type { Api, Body } from '../../support/api.ts'
import { startTestKernel, type TestKernel, type TestKernelOptions } from '../../support/kernel.ts'
import { plainIdentity, platformToken, tenantToken } from '../../support/plain-identity.ts'
import { dataOf } from '../../support/platform.ts'
import { smtpAllowance, type SmtpServer } from '../../support/smtp-server.ts'

/** One line of the log. */
export interface LogLine {
  readonly level: string
  readonly message: string
  readonly fields: Readonly<Record<string, unknown>>
}

/** A row of the outbox. */
export interface OutboxRow {
  readonly id: string
  readonly tenant_id: number
  readonly payload: object
  readonly state: string
  readonly attempts: number
  readonly error: string | null
}

/** A platform that sends messages, and its administrator. */
export interface MailWorld extends AsyncDisposable {
  readonly host: TestKernel
  readonly admin: Api
  readonly sender: MessageSender
  readonly lines: readonly LogLine[]
  /** Sets values of a platform's group. */
  configure(group: string, values: Readonly<Record<string, unknown>>): Promise<Body>
  /** Sets values of a group of tenant 5. */
  configureTenant(group: string, values: Readonly<Record<string, unknown>>): Promise<Body>
  outbox(): Promise<readonly OutboxRow[]>
  /** Lets time pass for everything that waits: its back-off and its lease end. */
  passTime(): Promise<void>
}

/** What mail needs, with a stand-in for who calls. */
export const mailPlugins = [config, access, jobs, mail, plainIdentity]

/** Starts a platform whose e-mail goes to the server, when there is one. */
export async function startMailWorld(
  server?: SmtpServer,
  options: Partial<TestKernelOptions> = {},
): Promise<MailWorld> {
  const lines: LogLine[] = []
  const env = { EGRESS_ALLOW_PRIVATE: smtpAllowance, ...options.env }
  const host = await startTestKernel({ plugins: mailPlugins, log: keepLines(lines), ...options, env })
  const admin = host.api.as(platformToken('platform_config:*'))
  const owner = host.api.as(tenantToken(5, 'tenant_config:*'))
  const put = async (api: Api, path: string, values: object): Promise<Body> => dataOf(await api.put(path, values))
  const rows = () => queuedMessages(host)
  const sender = host.kernel.services.get(messageSender)
  const world: MailWorld = {
    host,
    admin,
    sender,
    lines,
    configure: (group, values) => put(admin, `/admin/configs/groups/${group}`, values),
    configureTenant: (group, values) => put(owner, `/tenant/configs/groups/${group}`, values),
    outbox: async () => {
      const found = (await rows().select('*').orderBy('created_at')) as OutboxRow[]
      return found.map((row) => ({ ...row, state: row.state === 'dead' ? 'failed' : 'queued' }))
    },
    async passTime() {
      await rows()
        .where({ state: 'delayed' })
        .update({ state: 'waiting', run_at: new Date(0) })
      // Whoever puts a message in looks for others, too.
      await sender.send(codeTo('', { nobody: true }))
    },
    [Symbol.asyncDispose]: () => host[Symbol.asyncDispose](),
  }
  if (server) await world.configure('platform_mail', server.settings)
  return world
}

/** The rows of messages that wait, and of those that were given up. */
export function queuedMessages({ kernel }: Pick<TestKernel, 'kernel'>) {
  return kernel.database.knex('jobs').queryContext({ tenant: 'all' }).where({ kind: 'mail.deliver' })
}

/** A message with a code, to be changed as a test needs it. */
export function codeTo(to: string, change: Partial<Message> = {}): Message {
  return {
    tenantId: 5,
    channel: 'email',
    to,
    template: 'login_code',
    values: { code: '123456', minutes: 5 },
    ...change,
  }
}

function keepLines(lines: LogLine[]): Logger {
  const write =
    (level: string) =>
    (fields: object, message: string): void =>
      void lines.push({ level, message, fields: { ...fields } })
  const log: Logger = {
    debug: () => undefined,
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
    child: () => log,
  }
  return log
}
