import type { AppError } from '#kernel'
import type { Allowance, Hold } from '../../ai-ledger/contract.ts'
import type { Finding } from '../guard/types.ts'
import type { RunAbout } from './call.ts'

/** Said where no route led to the model. */
const noRoute = 'none'

/** What every answer of a model says in headers; only characters that a header takes. */
export function runHeaders(
  about: Omit<RunAbout, 'headers'>,
  hold: Hold | undefined,
  findings: readonly Finding[] = [],
): Readonly<Record<string, string>> {
  return {
    'x-request-id': about.requestId,
    'x-ai-model': plain(about.model),
    'x-ai-provider': plain(about.provider),
    'x-ai-attempts': String(about.attempts),
    'x-ai-route': plain(about.route ?? noRoute),
    ...(about.dropped.length > 0 && { 'x-ai-dropped-params': plain(about.dropped.join(', ')) }),
    ...(findings.length > 0 && { 'x-ai-guardrails': plain(findings.map(presentFinding).join(', ')) }),
    ...(about.isCached && { 'x-ai-cache': 'hit' }),
    ...allowance('requests', hold?.remaining.requests),
    ...allowance('tokens', hold?.remaining.tokens),
  }
}

/** An error that says in headers, too, who was asked; what it says itself stays. */
export function withHeaders(error: AppError, headers: Readonly<Record<string, string>>): AppError {
  return Object.assign(error, { headers: { ...headers, ...error.headers } })
}

/** Such as `acme.cards/cards;input=masked`. */
function presentFinding({ guardrail, phase, outcome }: Finding): string {
  return `${guardrail};${phase}=${outcome}`
}

function allowance(what: string, given: Allowance | undefined): Readonly<Record<string, string>> {
  if (!given) return {}
  const { limit, remaining, resetsAt } = given
  return {
    [`x-ratelimit-limit-${what}`]: String(limit),
    [`x-ratelimit-remaining-${what}`]: String(Math.max(0, remaining)),
    ...(resetsAt && {
      [`x-ratelimit-reset-${what}`]: `${String(Math.max(0, Math.ceil((resetsAt.getTime() - Date.now()) / 1_000)))}s`,
    }),
  }
}

function plain(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, '?')
}
