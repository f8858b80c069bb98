import { randomUUID } from 'node:crypto'
import type { Principal } from '#kernel'
import type { Audit } from '../access/contract.ts'
import type { MessageChannel } from './contract.ts'
import type { Dispatcher } from './dispatcher.ts'
import type { Drivers } from './drivers/drivers.ts'
import { MailOrSmsError, MessageRefusedError, RecipientInvalidError } from './errors.ts'
import { maskRecipient, readRecipient } from './recipient.ts'

const testMs = 30_000

/** A test an administrator asks for. */
interface TestRequest {
  readonly channel: MessageChannel
  readonly to: string
  readonly actor: Principal
  readonly locale: string
  readonly traceId: string
}

/** Whether a test got out, and if not, why. */
interface TestResult {
  readonly ok: boolean
  readonly error?: string
}

/** Tries the drivers. */
export interface TestService {
  /** Sends past the outbox, once; throws 422/4220 for a recipient that is none. */
  send(request: TestRequest, signal: AbortSignal): Promise<TestResult>
}

/** Makes the service behind the test endpoint. */
export function createTestService(
  dispatcher: Pick<Dispatcher, 'dispatch'>,
  drivers: Drivers,
  audit: Audit,
): TestService {
  async function attempt({ channel, to, locale }: TestRequest, signal: AbortSignal): Promise<TestResult> {
    if (!(await drivers.of(channel)).canDeliver) return { ok: false, error: 'The driver is not configured' }
    try {
      const message = { tenantId: 0, channel, to, template: 'test', values: {}, locale } as const
      await dispatcher.dispatch(message, randomUUID(), AbortSignal.any([signal, AbortSignal.timeout(testMs)]))
      return { ok: true }
    } catch (error) {
      if (error instanceof MailOrSmsError || error instanceof MessageRefusedError) {
        return { ok: false, error: error.message }
      }
      throw error
    }
  }

  return {
    async send(request, signal) {
      const { actor, channel, traceId } = request
      const to = readRecipient(channel, request.to)
      if (to === undefined) throw recipientInvalid(channel)
      const result = await attempt({ ...request, to }, signal)
      const after = { to: maskRecipient(to), ...result }
      await audit.record({ tenantId: 0, actor, action: 'mail.tested', target: `mail:${channel}`, after, traceId })
      return result
    },
  }
}

function recipientInvalid(channel: MessageChannel): Error {
  const message = channel === 'email' ? 'must be an e-mail address' : 'must be a phone number'
  return new RecipientInvalidError({ errors: [{ field: 'to', rule: 'format', message }] })
}
