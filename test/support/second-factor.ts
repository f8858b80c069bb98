import assert from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'
import { Secret, TOTP } from 'otpauth'
import type { Answer, Api, Body } from './api.ts'

const stepMilliseconds = 30_000
/** How long a request may be on its way. */
const slackMilliseconds = 10_000

/** A second factor in a test's hands. Each of its codes counts once, so a test asks for the one of another step. */
export interface TestFactor {
  /** The code of this many steps from now; -1, 0 and 1 are taken, each later than the last. */
  code(step: -1 | 0 | 1): string
  readonly recoveryCodes: readonly string[]
}

/** Enrols a second factor the way its user would, with the code of step -1. */
export async function enrolFactor(api: Api, scope: 'tenant' | 'admin' = 'tenant'): Promise<TestFactor> {
  const path = `/${scope}/users/security`
  const pending = await api.patch(path, { two_factor_enabled: true })
  assert.equal(pending.status, 200, JSON.stringify(pending.body))
  const totp = new TOTP({ secret: Secret.fromBase32(pending.body['data']?.['secret'] as unknown as string) })
  // Sent at the end of a step, the code of the one before would come when it is taken no more; a timer may ring a little early.
  const left = () => stepMilliseconds - (Date.now() % stepMilliseconds)
  while (left() < slackMilliseconds) await wait(left() + 1)
  const code = (step: number) => totp.generate({ timestamp: Date.now() + step * stepMilliseconds })
  const enabled = await api.patch(path, { two_factor_enabled: true, totp_code: code(-1) })
  assert.equal(enabled.status, 200, JSON.stringify(enabled.body))
  return { code, recoveryCodes: enabled.body['data']?.['recovery_codes'] as unknown as readonly string[] }
}

/** The token of a sign-in that waits for its second factor. */
export function factorTokenOf({ status, body }: Answer): string {
  assert.deepEqual([status, body['code']], [401, 4017], JSON.stringify(body))
  return (body['details'] as Body)['mfa_token'] as unknown as string
}
