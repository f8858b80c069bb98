import { definePlugin, defineRoute, type Plugin } from '#kernel'
import access from '../../../core-plugins/access/index.ts'
import {
  captchaGate,
  captchaProviders,
  type CaptchaDemand,
  type CaptchaProvider,
} from '../../../core-plugins/captcha/contract.ts'
import captcha from '../../../core-plugins/captcha/index.ts'
import config from '../../../core-plugins/config/index.ts'
import jobs from '../../../core-plugins/jobs/index.ts'
import storage from '../../../core-plugins/storage/index.ts'
import type { Answer, Api, Body } from '../../support/api.ts'
import { startTestKernel, type TestKernel, type TestKernelOptions } from '../../support/kernel.ts'
import { plainIdentity, platformToken, tenantToken } from '../../support/plain-identity.ts'
import { dataOf } from '../../support/platform.ts'
import { described } from '../../support/probe.ts'

/** The solution of every challenge of the tests' providers. */
export const rightWord = 'please'
/** The host that is tenant 5. */
export const host = 't5.localhost'
/** What a challenge is for unless a test says otherwise. */
export const login = { endpoint: 'user', action: 'login' } as const

const anything = { type: 'object' } as const

/** A provider whose challenges are solved by `please`; it tells what it was asked. */
export function wordProvider(more: Partial<CaptchaProvider> = {}): CaptchaProvider {
  return {
    code: 'words',
    plugin: 'acme.words',
    oneTry: false,
    isOffered: () => Promise.resolve(true),
    challenge: (asked) => Promise.resolve({ challenge: { type: 'word', asked }, secret: { word: rightWord } }),
    verify: ({ secret, solution }) =>
      Promise.resolve(solution === (secret as { word: string }).word ? { valid: true, score: 0.9 } : { valid: false }),
    ...more,
  }
}

/** A plugin that brings these providers. */
export function providerPlugin(name: string, ...providers: readonly CaptchaProvider[]): Plugin {
  return definePlugin({
    ...described(name),
    needs: { captchas: captchaProviders },
    setup(scope, { captchas }) {
      for (const provider of providers) scope.use(captchas.register(provider))
    },
  })
}

/** The plugin `acme.words` with the provider `words`, and one that gives an answer one try. */
export const words = providerPlugin(
  'acme.words',
  wordProvider(),
  wordProvider({ code: 'once', plugin: null, oneTry: true }),
)

/** A route behind the gate: the body is the demand. */
const door: Plugin = definePlugin({
  ...described('door'),
  needs: { gate: captchaGate },
  setup(scope, { gate }) {
    scope.route(
      defineRoute({
        method: 'post',
        path: '/door',
        summary: 'Pass the gate',
        auth: 'none',
        schema: { body: anything },
        async handler({ body }) {
          await gate.pass(body as unknown as CaptchaDemand)
          return { passed: true }
        },
      }),
    )
  },
})

/** Starts captchas with what they need, the tests' providers and the door. */
export function startCaptchas(options: Partial<TestKernelOptions> = {}): Promise<TestKernel> {
  return startTestKernel({ plugins: [config, access, jobs, storage, plainIdentity, captcha, words, door], ...options })
}

/** Sets values of the platform. */
export async function configure(api: Api, values: object, group = 'platform_captcha'): Promise<void> {
  dataOf(await api.put(`/configs/groups/${group}`, values, { token: platformToken('platform_config:*') }))
}

/** Sets captcha values of tenant 5. */
export async function configureTenant(api: Api, values: object): Promise<void> {
  dataOf(await api.put('/configs/groups/tenant_captcha', values, { token: tenantToken(5, 'tenant_config:*') }))
}

/** Asks for a challenge at tenant 5's host unless another is named. */
export function ask(api: Api, body: object = {}, at = host): Promise<Answer> {
  return api.post('/api/public/captcha/challenge', body, { host: at })
}

/** The id of a new challenge of the provider `words`. */
export async function newChallenge(api: Api, body: object = {}, at = host): Promise<string> {
  return dataOf(await ask(api, { provider_code: 'words', ...body }, at))['challenge_id'] as unknown as string
}

/** Answers a challenge at tenant 5's host unless another is named. */
export async function verify(api: Api, body: object, at = host): Promise<Body> {
  const answer = { provider_code: 'words', solution: rightWord, ...login, ...body }
  return dataOf(await api.post('/api/public/captcha/verify', answer, { host: at }))
}

/** Stands at the door of tenant 5's sign-in after five failures. */
export function knock(api: Api, answer: object | undefined, more: object = {}): Promise<Answer> {
  return api.post('/door', { tenantId: 5, ...login, failures: 5, ...(answer && { answer }), ...more })
}
