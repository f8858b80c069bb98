import assert from 'node:assert/strict'
import type { Logger } from '#kernel'
import type { Answer } from '../../support/api.ts'
import { configure } from '../../support/auth.ts'
import { startTestPlatform, testPassword, type TestPlatform, type TestTenant } from '../../support/identity.ts'
import { until } from '../../support/until.ts'

/** A message that somebody was sent. */
export interface SentMessage {
  readonly to: string
  readonly template: string
  readonly text: string
}

/** A platform with the tenant `acme`, whose people register and whose mail a test reads. */
export interface UsersWorld extends AsyncDisposable {
  readonly platform: TestPlatform
  readonly acme: TestTenant
  readonly messages: readonly SentMessage[]
  /** Registers somebody in acme, each from an address of their own so that the limit is not met. */
  register(email: string, more?: object): Promise<Answer>
  /** Registers somebody who then proves the address. */
  join(email: string, more?: object): Promise<Answer>
  /** The latest message of a kind, once it has come. */
  message(to: string, template: string): Promise<SentMessage>
  /** Signs in with a password, which may be refused. */
  login(account: string, password?: string): Promise<Answer>
  /** Changes how people come into acme. */
  signIn(values: object): Promise<void>
  /** Makes a node of acme's organisation. */
  node(name: string, parentId?: number): Promise<number>
}

/** How people come in unless a test says otherwise. */
export const closed = {
  allow_registration: false,
  registration_approval: false,
  default_role: 'tenant_user',
  allowed_email_domains: [],
}

/** Starts it. */
export async function startUsersWorld(): Promise<UsersWorld> {
  const messages: SentMessage[] = []
  const platform = await startTestPlatform({ log: keepMessages(messages) })
  const { api } = platform.test
  await configure(platform.admin, 'admin', 'platform_domain', { trusted_proxies: ['127.0.0.1'] })
  const acme = await platform.createTenant('acme')
  await configure(acme.owner, 'tenant', 'tenant_captcha', { user_registration_captcha_enabled: false })
  let people = 0

  async function post(path: string, body: object): Promise<Answer> {
    people += 1
    return api.post(path, body, { headers: { 'x-forwarded-for': `10.9.${people >> 8}.${people & 255}` } })
  }

  const register = (email: string, more?: object): Promise<Answer> =>
    post('/auth/register', { email, nickname: 'Newcomer', password: testPassword, tenant_code: 'acme', ...more })

  async function message(to: string, template: string, from = 0): Promise<SentMessage> {
    const find = () => messages.slice(from).findLast((one) => one.to === to && one.template === template)
    await until(() => find() !== undefined)
    return find() ?? assert.fail('no message')
  }

  return {
    platform,
    acme,
    messages,
    register,
    async join(email, more) {
      const from = messages.length
      const made = await register(email, more)
      assert.equal(made.body['data']?.['status'], 'pending_verification', JSON.stringify(made.body))
      return post('/auth/verify-email', {
        token: parameterIn(await message(email.toLowerCase(), 'verify_email', from), 'token'),
      })
    },
    login: (account, password = testPassword) => post('/auth/login/json', { account, password, tenant_code: 'acme' }),
    message,
    signIn: (values) => configure(acme.owner, 'tenant', 'tenant_login', { ...closed, ...values }),
    async node(name, parentId) {
      const made = await acme.owner.post('/tenant/orgs', {
        name,
        ...(parentId !== undefined && { parent_id: parentId }),
      })
      assert.equal(made.status, 201, JSON.stringify(made.body))
      return Number(made.body['data']?.['id'])
    },
    [Symbol.asyncDispose]: () => platform[Symbol.asyncDispose](),
  }
}

/** The value of a parameter of the link in a message. */
export function parameterIn({ text }: SentMessage, name: string): string {
  return new RegExp(`[?&#]${name}=([\\w-]+)`).exec(text)?.[1] ?? assert.fail(`no ${name} in: ${text}`)
}

/** Status and code of an answer, with the reason of a refusal. */
export function outcome({ status, body }: Answer): string {
  const { code, reason = '' } = body as unknown as { code: number; reason?: string }
  return `${status} ${code} ${reason}`.trimEnd()
}

function keepMessages(messages: SentMessage[]): Logger {
  const write = (fields: object): void => {
    const { to, template, text } = fields as SentMessage
    if (to && template && text) messages.push({ to, template, text })
  }
  const log: Logger = { debug: write, info: write, warn: write, error: write, child: () => log }
  return log
}
