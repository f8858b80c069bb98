import assert from 'node:assert/strict'
import { access } from 'node:fs/promises'
import path from 'node:path'
import { corePlugins } from '../../../core-plugins/index.ts'
import type { Answer, Api } from '../../support/api.ts'
import { startTestPlatform, testPassword, type TestPlatform } from '../../support/identity.ts'
import { signedInLongAgo } from '../../support/old-session.ts'

const group = '/admin/configs/groups/platform_backup'
const passphrase = 'mine to read all of it with'

describe('attack: reading everything through the settings of backups', () => {
  let platform: TestPlatform

  before(async () => {
    platform = await startTestPlatform({ plugins: corePlugins.filter(({ name }) => name !== 'first_run') })
  })
  after(() => platform[Symbol.asyncDispose]())

  const place = (name: string): string => path.join(platform.test.dataDir, name)

  async function hire(role: string): Promise<Api> {
    const email = `${role}@stoa.test`
    const made = await platform.admin.post('/admin/users', { email, password: testPassword, roles: [role] })
    assert.equal(made.status, 201, JSON.stringify(made.body))
    return platform.signIn(0, Number(made.body['data']?.['id']))
  }

  /** The first administrator, whose sign-in is an hour old. */
  function stale(): Promise<Api> {
    return signedInLongAgo(platform.test, 'admin@stoa.test', testPassword)
  }

  it('is refused to staff who may write configuration and are not above everybody', async () => {
    const staff = await hire('platform_admin')
    const mine = place('theirs')
    const answers = [
      await staff.put(group, { backup_enabled: true, backup_target: mine, backup_passphrase: passphrase }),
      await staff.put('/configs/groups/platform_backup', { backup_target: mine }),
      await staff.put(group, { backup_passphrase: passphrase }),
      await staff.put(group, { backup_s3_endpoint: 'https://evil.example' }),
      await staff.put(group, { backup_keep_days: 1, backup_keep_weeks: 0 }),
      await staff.put(group, { backup_all_files: true }),
    ]
    assert.deepEqual(answers.map(outcome), Array(6).fill('403 4031'))
    assert.equal(outcome(await staff.post('/admin/backups')), '409 4094')
    await assert.rejects(access(mine))
  })

  it('needs a fresh sign-in of whoever may', async () => {
    const old = await stale()
    const settings = { backup_target: place('ours') }
    assert.deepEqual([outcome(await old.get(group)), outcome(await old.put(group, settings))], ['200 0', '401 4018'])
    assert.equal(outcome(await platform.admin.put(group, settings)), '200 0')
  })

  it('sends the secret of a bucket to no other place', async () => {
    const { admin } = platform
    const bucket = { backup_s3_endpoint: 'https://s3.example', backup_s3_key_id: 'id', backup_s3_secret: 'a secret' }
    assert.equal(outcome(await admin.put(group, { ...bucket, backup_target: 's3://own-bucket/stoa' })), '200 0')
    const moves = [{ backup_s3_endpoint: 'https://evil.example' }, { backup_target: 's3://evil-bucket/stoa' }]
    for (const move of moves) assert.equal(outcome(await admin.put(group, move)), '422 4222', JSON.stringify(move))
    assert.equal(outcome(await admin.put(group, { ...moves[0], backup_s3_secret: 'another' })), '200 0')
  })
})

function outcome({ status, body }: Answer): string {
  return `${status} ${body['code'] as unknown as number}`
}
