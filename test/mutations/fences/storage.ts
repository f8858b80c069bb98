import type { Fence } from '../mutation.ts'

const bonds = 'test/core-plugins/attack/rights-bonds.test.ts'
const routes = 'test/core-plugins/whole/routes.test.ts'
const downloads = 'test/core-plugins/attack/rights-downloads.test.ts'
const egress = 'test/core-plugins/storage/egress.test.ts'
const local = 'test/core-plugins/storage/settings-storage-local.test.ts'
const settings = 'test/core-plugins/storage/settings.test.ts'
const tenant = 'test/core-plugins/storage/tenant.test.ts'

/** Bytes lie where their owner wants them, and what reaches them is told nobody and leads nowhere else. */
export const storage: Fence = {
  name: 'storage',
  mutations: [
    {
      name: 'storage-known-place-near-us',
      file: 'core-plugins/storage/volumes/volume-pool.ts',
      before: "open(config, tenantId > 0 ? 'tenant' : 'platform')",
      after: "open(config, tenantId > 0 ? 'platform' : 'platform')",
      tests: [egress],
      why: 'A tenant’s place, once known, is reached with the exceptions that the operator made for the platform.',
    },
    {
      name: 'storage-chosen-place-near-us',
      file: 'core-plugins/storage/volumes/volume-pool.ts',
      before: '.get(driver).open(config, owner) }',
      after: ".get(driver).open(config, owner && 'platform') }",
      tests: [egress],
      why: 'A tenant’s settings lead to services on the operator’s own network.',
    },
    {
      name: 'storage-secret-tried-elsewhere',
      file: 'core-plugins/storage/settings/storage-settings.ts',
      before: '&& !isSamePlace(name, given, stored)) {',
      after: '&& isSamePlace(name, given, stored) === undefined) {',
      tests: [bonds],
      why: 'Staff who may only try settings have the stored secret used at a server of their own.',
    },
    {
      name: 'storage-secret-moved-with-its-bucket',
      file: 'core-plugins/storage/drivers/place-name.ts',
      before: '|bucket|',
      after: '|',
      tests: [bonds],
      why: 'The stored secret signs for a bucket of somebody else.',
    },
    {
      name: 'storage-settings-by-an-old-sign-in',
      file: 'core-plugins/storage/settings/guard-settings.ts',
      before: 'requireFreshSignIn(actor)\n',
      after: '',
      tests: [downloads],
      why: 'Whoever finds an open console of the highest administrator has all new files go to a bucket of their own.',
    },
    {
      name: 'storage-profiles-unguarded',
      file: 'core-plugins/storage/settings/guard-settings.ts',
      before: "'tenant_storage_profiles', 'tenant_storage_profile_secrets'],",
      after: '],',
      tests: [downloads],
      why: 'Staff who may write configuration read the files of every tenant that has chosen a profile.',
    },
    {
      name: 'storage-driver-that-is-not-allowed',
      file: 'core-plugins/storage/settings/storage-settings.ts',
      before: "if (owner === 'tenant' && !(await this.#choices.policy()).drivers.includes(name)) throw",
      after: "if (owner === 'tenant' && !(await this.#choices.policy()).drivers) throw",
      tests: [tenant],
      why: 'Tenants try and use drivers that the platform keeps for itself.',
    },
    {
      name: 'storage-tried-without-bounds',
      file: 'core-plugins/storage/settings/routes.ts',
      before: '    limit: testLimit,\n',
      after: '',
      tests: [routes],
      why: 'A tenant has the platform knock at every address of the internet.',
    },
    {
      name: 'storage-profile-of-a-driver-taken-back',
      file: 'core-plugins/storage/volumes/storage-choice.ts',
      before: 'if (!allowed.includes(profile.driver)) return undefined\n',
      after: '',
      tests: ['test/core-plugins/storage/settings-storage.test.ts'],
      why: 'Files of tenants still go by a driver that the platform has taken back.',
    },
    {
      name: 'storage-settings-in-the-clear',
      file: 'core-plugins/storage/volumes/volume-rows.ts',
      before: 'config: this.#secrets.seal(JSON.stringify(config)), baseUrl, updatedAt',
      after: 'config: JSON.stringify(config), baseUrl, updatedAt',
      tests: [settings],
      why: 'Whoever reads a copy of the database has the keys of every bucket.',
    },
    {
      name: 'storage-place-of-an-erased-tenant',
      file: 'core-plugins/storage/erasure.ts',
      before: 'await StorageVolumeRow.of(tenantId, parts.db).delete()\n',
      after: '',
      tests: ['test/core-plugins/tenants/erasure.test.ts'],
      why: 'The keys of a tenant that is gone are kept for ever.',
    },
    {
      name: 'storage-location-anywhere',
      file: 'core-plugins/storage/drivers/location.ts',
      before: 'return text.length <= longest && /^[a-z0-9]',
      after: 'return text.length <= longest || /^[a-z0-9]',
      tests: [local],
      why: 'A location with dots leaves the folder of objects.',
    },
    {
      name: 'storage-link-on-the-disk',
      file: 'core-plugins/storage/drivers/local/local-volume.ts',
      before: 'const reading = constants.O_RDONLY | constants.O_NOFOLLOW',
      after: 'const reading = constants.O_RDONLY',
      tests: [local],
      why: 'A link that lies in the folder of objects gives out any file of the host.',
    },
    {
      name: 'storage-quota-together',
      file: 'core-plugins/storage/objects/stored-rows.ts',
      before: 'if (others.bytes + size > totalBytes) throw',
      after: 'if (others.bytes > totalBytes) throw',
      tests: ['test/core-plugins/storage/storage.test.ts'],
      why: 'Who puts much at once has more than there is room for.',
    },
  ],
}
