import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { RunningKernel } from '../../kernel/kernel.ts'
import { sessions, type SessionOptions } from '../../core-plugins/auth/contract.ts'
import { userDirectory, type UserRecord } from '../../core-plugins/users/contract.ts'
import type { Answer, Api } from './api.ts'
import type { TestPlatform } from './identity.ts'

/** A session's tokens. */
export interface Issued {
  readonly access: string
  readonly refresh: string
  readonly id: string
}

/** Status and code of an answer. */
export const codeOf = ({ status, body }: Answer): [number, unknown] => [status, body['code']]

/** Status, code and reason of a refusal. */
export const reasonOf = ({ status, body }: Answer): unknown => [status, body['code'], body['reason']]

/** The kernel as the tests may see it, with what it stands on. */
export function runningKernel({ test }: Pick<TestPlatform, 'test'>): RunningKernel {
  assert.ok(test.kernel instanceof RunningKernel)
  return test.kernel
}

/** The user's record. */
export async function findUser({ test }: TestPlatform, tenantId: number, userId: number): Promise<UserRecord> {
  return (await test.kernel.services.get(userDirectory).find(tenantId, userId)) ?? assert.fail('no such user')
}

/** Begins a session without a sign-in. */
export async function issueSession(
  platform: TestPlatform,
  tenantId: number,
  userId: number,
  options?: SessionOptions,
): Promise<Issued> {
  const user = await findUser(platform, tenantId, userId)
  const origin = { ip: '127.0.0.1', userAgent: 'test' }
  const tokens = await platform.test.kernel.services.get(sessions).issue(user, origin, options)
  return { access: tokens.accessToken, refresh: tokens.refreshToken, id: tokens.sessionId }
}

/** Writes values of a configuration group; the administrator's own where the caller is the platform's. */
export async function configure(by: Api, scope: 'admin' | 'tenant', group: string, values: object): Promise<void> {
  const answer = await by.put(`/${scope}/configs/groups/${group}`, values)
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
}

/** The two readable parts of a token. */
export function readToken(token: string): [Record<string, unknown>, Record<string, unknown>] {
  const [header = '', claims = ''] = token.split('.')
  const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>
  return [read(header), read(claims)]
}

/** A token of anybody's making, with an HMAC. */
export function signToken(header: object, claims: object, key: string | Buffer, hash = 'sha256'): string {
  const text = [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
  return `${text}.${createHmac(hash, key).update(text).digest('base64url')}`
}
