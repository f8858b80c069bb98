import type { CaptchaAnswer } from '../../captcha/contract.ts'

const id = { type: 'string', maxLength: 254 } as const
const solution = { type: 'string', maxLength: 4096 } as const

/** The members of a body that bring a captcha along, nested or flat. */
export const captchaMembers = {
  captcha: {
    type: 'object',
    additionalProperties: false,
    properties: { provider_code: id, challenge_id: id, solution },
  },
  captcha_provider_code: id,
  captcha_challenge_id: id,
  captcha_solution: solution,
} as const

interface CaptchaBody {
  readonly captcha?: {
    readonly provider_code?: string
    readonly challenge_id?: string
    readonly solution?: string
  }
  readonly captcha_provider_code?: string
  readonly captcha_challenge_id?: string
  readonly captcha_solution?: string
}

/** The captcha that a body brings; undefined without one. */
export function readCaptchaAnswer(body: CaptchaBody): CaptchaAnswer | undefined {
  const challengeId = body.captcha?.challenge_id ?? body.captcha_challenge_id
  if (challengeId === undefined) return undefined
  return {
    challengeId,
    providerCode: body.captcha?.provider_code ?? body.captcha_provider_code,
    solution: body.captcha?.solution ?? body.captcha_solution,
  }
}
