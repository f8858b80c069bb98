import type { CaptchaAnswer } from '../../captcha/contract.ts'

/** The members of a body that answer a captcha, nested or flat. */
interface CaptchaFields {
  readonly captcha?: {
    readonly provider_code?: string
    readonly challenge_id?: string
    readonly solution?: string
  }
  readonly captcha_provider_code?: string
  readonly captcha_challenge_id?: string
  readonly captcha_solution?: string
}

/** The answer to a captcha that a body brings; the nested one goes first. */
export function readCaptchaAnswer(body: CaptchaFields): CaptchaAnswer | undefined {
  const { captcha } = body
  const answer = {
    providerCode: captcha?.provider_code ?? body.captcha_provider_code,
    challengeId: captcha?.challenge_id ?? body.captcha_challenge_id,
    solution: captcha?.solution ?? body.captcha_solution,
  }
  return Object.values(answer).some((value) => value !== undefined && value !== '') ? answer : undefined
}
