import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { inspect } from 'node:util'
import type { Logger } from '#kernel'
import type { Answer } from '../../support/api.ts'
import { storageOf } from '../../support/storage.ts'
import { s3Secret } from '../../support/s3-server.ts'
import { setupStorageWorld } from '../../support/storage-world.ts'

/** A logger that keeps everything it is told, errors with their causes. */
function keepingLog(lines: string[]): Logger {
  const write = (...told: unknown[]): void => void lines.push(inspect(told, { depth: 12, maxStringLength: null }))
  const log: Logger = { debug: write, info: write, warn: write, error: write, child: () => log }
  return log
}

describe('a secret of storage', () => {
  it('comes out of no answer and no line of the log, whatever is done with it and whatever fails', async () => {
    const lines: string[] = []
    await using world = await setupStorageWorld({ log: keepingLog(lines) })
    const { admin, owner, s3 } = world
    const made = Array.from({ length: 4 }, () => `s3cr3t-${randomBytes(12).toString('hex')}`)
    const secrets = [...made, s3Secret]
    const answers: Answer[] = []
    const send = async (answer: Promise<Answer>): Promise<void> => void answers.push(await answer)
    const groups = ['platform_storage', 'platform_tenant_storage']
    const look = async (): Promise<void> => {
      for (const code of groups) await send(admin.get(`/admin/configs/groups/${code}`))
      await send(owner.get('/tenant/configs/groups/tenant_storage'))
      await send(owner.get('/tenant/configs/storage/status'))
      await send(owner.get('/tenant/configs/storage/drivers'))
      await send(admin.get('/admin/configs/changes'))
      await send(admin.get('/admin/audit-logs'))
      await send(owner.get('/tenant/audit-logs'))
      await send(owner.get('/api/public/tenant/config', { host: 'acme.localhost' }))
    }
    const store = storageOf(world.platform.host).open('files', world.tenantId)
    const policy = { tenant_storage_mode: 'self_managed' }
    for (const secret of secrets) {
      const config = s3.config({ secret_access_key: secret })
      const open = Object.fromEntries(Object.entries(config).filter(([name]) => name !== 'secret_access_key'))
      const profile = { id: 'eu', name: 'Europe', driver: 's3', config: open }
      await send(admin.post('/configs/storage/test-connection', { driver: 's3', config }))
      await send(owner.post('/configs/storage/test-connection', { driver: 's3', config }))
      await send(admin.post('/configs/storage/test-connection', { driver: 's3', config: { ...config, bucket: '!' } }))
      await send(admin.put('/configs/groups/platform_storage', { storage_driver: 's3', storage_config: config }))
      await send(
        admin.put('/configs/groups/platform_storage', {
          storage_driver: 'x',
          storage_config: { ...config, x: secret },
        }),
      )
      await send(
        admin.put('/configs/groups/platform_tenant_storage', {
          ...policy,
          tenant_storage_profiles: [profile],
          tenant_storage_profile_secrets: { 'eu.secret_access_key': secret },
        }),
      )
      await send(
        admin.put('/configs/groups/platform_tenant_storage', { tenant_storage_profiles: [{ ...profile, config }] }),
      )
      await send(owner.put('/configs/storage', { driver: 's3', config }))
      await send(owner.put('/configs/storage', { driver: 's3', config, skip_test: true }))
      await look()
      await store.put('k', Buffer.from('x')).catch(() => undefined)
      await store.get('k').catch(() => undefined)
      await send(admin.put('/configs/groups/platform_tenant_policy', { tenant_config_approval: 'all' }))
      await send(
        owner.put('/configs/storage', { driver: 's3', config: { ...config, prefix: 'held' }, skip_test: true }),
      )
      await look()
      await send(admin.put('/configs/groups/platform_tenant_policy', { tenant_config_approval: 'off' }))
    }
    const said = answers.map(({ status, body, headers }) => `${status} ${JSON.stringify([body, headers])}`)
    const told = [...said, ...lines].filter((line) => secrets.some((secret) => line.includes(secret)))
    assert.deepEqual(told, [])
    assert.ok(said.some((line) => line.includes('********')))
    assert.ok(answers.filter(({ status }) => status === 200).length > answers.length / 2)
  })
})
