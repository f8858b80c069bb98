import type { CallTarget, Failure, Outcome } from '../wire/call.ts'
import { isAnswer } from '../wire/outcome-error.ts'
import { faultOf } from '../wire/fault.ts'
import { isForsaken } from '../wire/outcome.ts'
import type { Account } from './account.ts'
import type { Measure } from './measures.ts'

/** Where a failed call's cause lies: the plugin's code, a bound, something it asked for, or us. */
type ErrorClass = 'plugin' | 'limit' | 'upstream' | 'host'

/** Counts what one call uses, for its tenant and its handler. */
export class CallMeter {
  readonly #tenant: Account
  readonly #handler: Account
  readonly #accountOfHost: (grant: string) => Account

  constructor(tenant: Account, handler: Account, accountOfHost: (grant: string) => Account) {
    this.#tenant = tenant
    this.#handler = handler
    this.#accountOfHost = accountOfHost
  }

  /** Counts something that the call did. */
  add(measure: Measure, amount = 1): void {
    this.#tenant.add(measure, amount)
    this.#handler.add(measure, amount)
  }

  /** Counts a request, under the host as it was granted: a plugin cannot make up hosts. */
  addEgress(grant: string, sentBytes: number, receivedBytes: number): void {
    for (const account of [this.#tenant, this.#handler, this.#accountOfHost(grant)]) {
      account.add('egressRequests', 1)
      account.add('egressSentBytes', sentBytes)
      account.add('egressReceivedBytes', receivedBytes)
    }
  }

  /** Counts the call itself when it has ended; `elapsedMs` is all the time since it was asked for. */
  end(outcome: Outcome, elapsedMs: number): void {
    end(this.#tenant, outcome, elapsedMs)
    end(this.#handler, outcome, elapsedMs)
  }
}

/** The name under which the calls of a handler are counted; it stands in the manifest. */
export function handlerName({ kind, name }: CallTarget): string {
  return `${kind} ${name}`
}

/** A PluginError about something upstream is not the plugin's own fault; one about its caller's input is an answer. */
export function errorClass(outcome: Failure): ErrorClass | undefined {
  if (isForsaken(outcome)) return undefined
  const isThrown = outcome.kind === 'threw'
  if (isThrown && (outcome.error.code === 'upstream' || outcome.error.status === 502)) return 'upstream'
  if (faultOf(outcome) !== 'guest') return 'host'
  if (isThrown && isAnswer(outcome.error)) return undefined
  return outcome.kind === 'limit' || outcome.kind === 'timeout' ? 'limit' : 'plugin'
}

const measureOfClass = {
  plugin: 'pluginErrors',
  limit: 'limitErrors',
  upstream: 'upstreamErrors',
  host: 'hostErrors',
} as const satisfies Readonly<Record<ErrorClass, Measure>>

function end(account: Account, outcome: Outcome, elapsedMs: number): void {
  account.add('calls', 1)
  account.add('cpuMs', outcome.cpuMs)
  account.add('wallMs', outcome.wallMs)
  account.add('queueMs', Math.max(elapsedMs - outcome.wallMs, 0))
  if (outcome.hostCalls > 0) account.add('hostCalls', outcome.hostCalls)
  account.addDuration(outcome.wallMs)
  if (outcome.ok) return
  const failed = errorClass(outcome)
  account.add(failed === undefined ? 'refusals' : measureOfClass[failed], 1)
}
