// @both-back-ends
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { corePlugins } from '../../../core-plugins/index.ts'
import type { Logger } from '#kernel'
import type { Answer } from '../../support/api.ts'
import { configure } from '../../support/auth.ts'
import { startTestPlatform, testPassword, type TestPlatform } from '../../support/identity.ts'

/** A logger whose every word a test can search. */
function wholeLog(): { readonly log: Logger; readonly text: () => string } {
  const lines: string[] = []
  const write = (fields: object, message?: string): void => {
    lines.push(JSON.stringify([fields, message], (_, value: unknown) => (value instanceof Error ? tell(value) : value)))
  }
  const log: Logger = { debug: write, info: write, warn: write, error: write, child: () => log }
  return { log, text: () => lines.join('\n') }
}

function tell(error: Error): object {
  return { ...error, name: error.name, message: error.message, stack: error.stack, cause: error.cause }
}

describe('an attacker who has got a look', () => {
  const { log, text } = wholeLog()
  let platform: TestPlatform
  before(async () => {
    platform = await startTestPlatform({ log, plugins: corePlugins.filter(({ name }) => name !== 'first_run') })
  })
  after(() => platform[Symbol.asyncDispose]())

  it('at a query without its tenant finds no row of any tenant’s', async () => {
    const { rows } = await platform.test.kernel.database.knex.raw<{ rows: { name: string }[] }>(`
      select c.relname as name from pg_class c
        join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id' and not a.attisdropped
       where c.relkind in ('r', 'p') and c.relnamespace = current_schema()::regnamespace
         and not (c.relrowsecurity and c.relforcerowsecurity
                  and exists (select 1 from pg_policies p where p.tablename = c.relname and p.with_check is not null))`)
    assert.deepEqual(
      rows.map(({ name }) => name),
      [],
    )
  })

  it('at the keys of repeated requests finds no quick way to guess the passwords in them', async () => {
    const acme = await platform.createTenant('keys')
    const path = '/tenant/users'
    const body = JSON.stringify({ email: 'bo@keys.test', password: testPassword, roles: ['tenant_user'] })
    const headers = { 'idempotency-key': 'once', 'content-type': 'application/json' }
    const answers = [await acme.owner.post(path, body, { headers }), await acme.owner.post(path, body, { headers })]
    const [row] = await platform.test.kernel.database
      .knex<{ key: string; fingerprint: string }>('idempotency_keys')
      .where('key', 'once')
      .queryContext({ tenant: acme.id })
    assert.deepEqual(
      answers.map(({ status, headers: { 'idempotent-replayed': replayed } }) => [status, replayed]),
      [
        [201, undefined],
        [201, 'true'],
      ],
    )
    assert.notEqual(row?.fingerprint, createHash('sha256').update(`${path}?\n${body}`).digest('base64url'))
  })

  it('at the log and the log of writes finds no password, token or code', async () => {
    const { api } = platform.test
    await configure(platform.admin, 'admin', 'platform_captcha', { login_captcha_enabled: false })
    const acme = await platform.createTenant('acme')
    const secrets: string[] = [testPassword]
    const keep = (answer: Answer, ...names: readonly string[]): void => {
      for (const name of names)
        secrets.push((answer.body['data']?.[name] as unknown as string | undefined) ?? assert.fail(`no ${name}`))
    }
    const credentials = { account: 'owner@acme.test', password: testPassword, tenant_code: 'acme' }
    const signedIn = await api.post('/auth/login/json', credentials)
    keep(signedIn, 'access_token', 'refresh_token')
    const owner = api.as(signedIn.body['data']?.['access_token'])
    keep(await owner.patch('/tenant/users/security', { two_factor_enabled: true }), 'secret')
    keep(await owner.post('/tenant/users/invites', { email: 'guest@acme.test', send: false }), 'invite_code')
    keep(await owner.post('/auth/ws-ticket'), 'ticket')
    const { id } = await platform.createUser(acme, 'ann@acme.test', ['tenant_user'])
    keep(await owner.post(`/tenant/users/${id}/reset-password`, { notify: false }), 'password')
    keep(await platform.admin.post(`/admin/tenants/${acme.id}/impersonate`, {}), 'access_token')
    secrets.push('wrong and secret passphrase', 'rt_made-up', 'rp_made-up')
    await api.post('/auth/login/json', { ...credentials, password: 'wrong and secret passphrase' })
    await api.post('/auth/refresh', { refresh_token: 'rt_made-up' })
    await api.post('/auth/reset-password', { token: 'rp_made-up', new_password: 'wrong and secret passphrase' })
    const change = { old_password: testPassword, new_password: 'seventeen blue herons' }
    keep(await owner.put('/auth/password', change), 'access_token', 'refresh_token')
    secrets.push('seventeen blue herons')
    const rows: unknown = await platform.test.kernel.database
      .knex('access_audit_log')
      .select('*')
      .queryContext({ tenant: 'all' })
    const written = `${text()}\n${JSON.stringify(rows)}`
    assert.deepEqual(
      secrets.filter((secret) => written.includes(secret)),
      [],
    )
    assert.ok(secrets.length > 12 && written.length > 1000)
  })
})
