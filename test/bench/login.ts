import { argon2, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { PasswordHasher } from '../../core-plugins/users/passwords/password-hasher.ts'
import { expect, type BenchPlatform } from './bench-platform.ts'
import { median } from './load.ts'
import { print } from './print.ts'

const accounts = 40
const password = 'a login of long words'
const derive = promisify(argon2)

/**
 * Sign-ins, each of another account and from another address so that no limit nor captcha stands in the way, and bare argon2id
 * with the platform's own parameters, one after the other in turns.
 */
export async function measureLogin({ admin, owner, tenantCode }: BenchPlatform): Promise<void> {
  await expect(200, admin.put('/admin/configs/groups/platform_domain', { trusted_proxies: ['127.0.0.1'] }))
  const emails = Array.from({ length: accounts }, (_, at) => `user${at}@bench.test`)
  for (const email of emails)
    await expect(201, owner.post('/tenant/users', { email, password, roles: ['tenant_user'] }))
  const hash = await bareHash()
  const figures = { login: [] as number[], bare: [] as number[] }
  for (const [at, email] of emails.entries()) {
    const headers = { 'x-forwarded-for': `192.0.2.${at + 1}` }
    const credentials = { tenant_code: tenantCode, account: email, password }
    figures.login.push(await timed(() => expect(200, owner.post('/auth/login/json', credentials, { headers }))))
    figures.bare.push(await timed(hash))
  }
  const [login, bare] = [median(figures.login.slice(5)), median(figures.bare.slice(5))]
  print('bare argon2id, p50', `${bare.toFixed(1)} ms`, 'the floor')
  print('sign-in p50 / bare argon2id', (login / bare).toFixed(2), 'aim ≤ 1.5')
}

/** Hashes as the platform does: its parameters stand in the hashes it makes. */
async function bareHash(): Promise<() => Promise<unknown>> {
  const parameters = /m=(\d+),t=(\d+),p=(\d+)/.exec(await new PasswordHasher().hash(password))
  const [memory, passes, parallelism] = (parameters ?? []).slice(1).map(Number)
  if (!memory || !passes || !parallelism) throw new Error('the hash does not tell its parameters')
  const options = { memory, passes, parallelism, tagLength: 32 }
  return () => derive('argon2id', { message: password, nonce: randomBytes(16), ...options })
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}
