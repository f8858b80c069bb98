import { AppError, chooseLocale, fillTemplate } from '#kernel'
import { texts } from '../texts/texts.ts'

/** Why a step of a test did not succeed. */
export interface StepFault {
  readonly reason: string
  readonly message: string
}

/** What a failed step says: never an address, a name or a credential that its answer had. */
export function faultOf(error: unknown, locale: string): StepFault {
  const known = error instanceof AppError ? error : undefined
  const given = known?.details?.['reason'] ?? known?.reason
  const reason = typeof given === 'string' ? given : 'failed'
  const told = texts.messages[chooseLocale(locale)]
  const template = told?.[`step.${reason}`] ?? told?.['step.other']
  const message = template === undefined ? (known?.message ?? 'It failed') : fillTemplate(template, { reason })
  return { reason, message }
}
