import { data, defineRoute, type Route, type RouteContext, type TenantResolver } from '#kernel'
import { boundTenant } from './bound-tenant.ts'
import type { Challenges } from './challenges.ts'
import type { CaptchaAction, CaptchaBinding, CaptchaEndpoint } from './contract.ts'
import { presentChallenge } from './present.ts'
import { challenge, challengeBody, verdict, verifyBody } from './schemas.ts'
import type { CaptchaSettings } from './settings.ts'

const headers = { 'cache-control': 'no-store' }

interface Body {
  readonly endpoint?: CaptchaEndpoint
  readonly action?: CaptchaAction
  readonly tenant_code?: string
}

/** Challenges and their answers, for anybody. */
export function captchaRoutes(
  challenges: Challenges,
  settings: CaptchaSettings,
  tenants: TenantResolver,
): readonly Route[] {
  async function bindingOf({ body, state }: Pick<RouteContext, 'state'> & { body: Body }): Promise<CaptchaBinding> {
    const { endpoint = 'user', action = 'login', tenant_code: code } = body
    return { tenantId: await boundTenant({ endpoint, code }, state.tenant, tenants), endpoint, action }
  }

  return [
    defineRoute({
      method: 'post',
      path: '/api/public/captcha/challenge',
      summary: 'Ask for a captcha',
      auth: 'none',
      tenant: 'optional',
      limit: () => settings.limit('challenge'),
      schema: { body: challengeBody, response: challenge },
      errors: [4035, 4039, 4041, 4220, 4293, 5026, 5033],
      async handler(ctx) {
        const { provider_code: providerCode, difficulty } = ctx.body
        const issued = await challenges.issue({ ...(await bindingOf(ctx)), providerCode, difficulty })
        return data(presentChallenge(issued), { headers })
      },
    }),
    defineRoute({
      method: 'post',
      path: '/api/public/captcha/verify',
      summary: 'Answer a captcha',
      auth: 'none',
      tenant: 'optional',
      limit: () => settings.limit('verify'),
      schema: { body: verifyBody, response: verdict },
      errors: [4035, 4041, 4293, 5026],
      async handler(ctx) {
        const { provider_code: providerCode, challenge_id: challengeId, solution } = ctx.body
        return challenges.verify({ ...(await bindingOf(ctx)), providerCode, challengeId, solution })
      },
    }),
  ]
}
