// @both-back-ends
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { generateFernetKey } from '#kernel'
import { testRedisUrl } from '../../support/cluster.ts'
import { dataOf, startPlatform } from '../../support/platform.ts'
import { read, storageOf } from '../../support/storage.ts'
import { setGroup, setupStorageWorld } from '../../support/storage-world.ts'
import { until } from '../../support/until.ts'

const secrets = {
  APP_SECRET: randomBytes(32).toString('base64url'),
  JWT_KEYS: `k1:${randomBytes(32).toString('base64url')}`,
  CONFIG_FERNET_KEYS: generateFernetKey(),
}

if (testRedisUrl()) {
  describe('storage settings changed on one host', () => {
    it('are used on the other within a second, for new objects and for those there are', async () => {
      await using one = await setupStorageWorld({ env: secrets })
      const { databaseUrl, namespace } = one.platform.host
      const env = { ...secrets, EGRESS_ALLOW_PRIVATE: `localhost:${one.s3.port}` }
      await using two = await startPlatform({ env, databaseUrl, namespace })
      const here = storageOf(one.platform.host).open('files', one.tenantId)
      const there = storageOf(two.host).open('files', one.tenantId)
      assert.equal((await there.put('before', Buffer.from('x'))).driver, 'local')
      const config = one.s3.config()
      await setGroup(one.admin, 'platform_storage', { storage_driver: 's3', storage_config: config })
      await until(async () => (await there.put('k', Buffer.from('x'))).driver === 's3', 1000)
      assert.equal(await read(here, 'k'), 'x')
      await setGroup(one.admin, 'platform_storage', { storage_config: { ...config, secret_access_key: 'wrong' } })
      await until(
        () =>
          there.get('k').then(
            () => false,
            () => true,
          ),
        1000,
      )
      await setGroup(one.admin, 'platform_storage', { storage_config: config })
      await until(
        () =>
          read(there, 'k').then(
            (found) => found === 'x',
            () => false,
          ),
        1000,
      )
      const test = { driver: 's3', config: { ...config, secret_access_key: '********' } }
      assert.equal(dataOf(await two.admin.post('/configs/storage/test-connection', test))['ok'], true)
    })
  })
}
