import { created, defineRoute, type RateLimit, type Route } from '#kernel'
import type { CaptchaEndpoint, CaptchaGate } from '../../captcha/contract.ts'
import type { Registered, Registrations } from '../../users/contract.ts'
import { readCaptchaAnswer } from '../sign-in/captcha-answer.ts'
import type { FrontDoor } from '../sign-in/front-door.ts'
import { registerBody, registeredAnswer, verifyEmailBody } from './schemas.ts'

/** What the endpoints of registration call. */
interface RegistrationRouteParts {
  readonly registrations: Registrations
  readonly captcha: CaptchaGate
  readonly door: FrontDoor
}

const registerLimit: RateLimit = { policy: 'register', requests: 10, seconds: 3600, by: 'ip' }
const verifyLimit: RateLimit = { policy: 'verify_email', requests: 30, seconds: 60, by: 'ip' }

/**
 * Registration. What becomes of it is the business of `users`; the endpoints are here, also the one below `/tenant/users`,
 * because the tenant of somebody who is not signed in is found here as it is for a sign-in.
 */
export function registrationRoutes(parts: RegistrationRouteParts): readonly Route[] {
  return [
    registerRoute(parts, '/auth/register', 'user'),
    registerRoute(parts, '/tenant/users/register', 'tenant'),
    verifyEmailRoute(parts),
  ]
}

function registerRoute(
  { registrations, captcha, door }: RegistrationRouteParts,
  path: string,
  endpoint: CaptchaEndpoint,
): Route {
  return defineRoute({
    method: 'post',
    path,
    auth: 'none',
    tenant: 'optional',
    summary: 'Register as a user of a tenant',
    limit: registerLimit,
    answers: [201],
    schema: { body: registerBody, response: registeredAnswer },
    errors: [4004, 4005, 4006, 4035, 4036, 4041, 4091, 4223, 5031],
    async handler({ body, state }) {
      const { email, password, nickname, phone, invite_code: inviteCode } = body
      const tenant = await door.toTenant({ code: body.tenant_code, host: state.tenant })
      // Nobody should solve a captcha to be told that there is nothing to register for.
      await registrations.requireOpen(tenant.id, inviteCode)
      const answer = readCaptchaAnswer(body)
      await captcha.pass({ tenantId: tenant.id, endpoint, action: 'register', failures: 0, answer })
      const person = { email, password, nickname, phone, inviteCode, locale: state.locale }
      return created(presentRegistered(await registrations.register(tenant, person)))
    },
  })
}

function verifyEmailRoute({ registrations }: RegistrationRouteParts): Route {
  return defineRoute({
    method: 'post',
    path: '/auth/verify-email',
    auth: 'none',
    summary: 'Prove with the token of a message that an e-mail address is one’s own',
    limit: verifyLimit,
    schema: { body: verifyEmailBody, response: registeredAnswer },
    errors: [4006],
    handler: async ({ body }) => presentRegistered(await registrations.verifyEmail(body.token)),
  })
}

function presentRegistered({ userId, initialRole, status }: Registered) {
  return { user_id: userId, initial_role: initialRole, status }
}
