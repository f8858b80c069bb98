import type { Fence } from '../mutation.ts'

const file = 'core-plugins/users/erasure.ts'
const tests = ['test/core-plugins/users/erasure.test.ts']

/** What is kept of a user who was deleted goes, whoever fails or dies meanwhile. */
export const erasures: Fence = {
  name: 'erasures',
  mutations: [
    {
      name: 'erasures-user-not-queued',
      file,
      before: 'await this.#parts.jobs.enqueue(',
      after: 'if (userId < 0) await this.#parts.jobs.enqueue(',
      tests,
      why: 'A host that dies once a user is deleted leaves everything of the user for good.',
    },
    {
      name: 'erasures-failure-taken-for-done',
      file,
      before: 'if (!isHeard) throw',
      after: 'if (!isHeard && userId < 0) throw',
      tests,
      why: 'What a plugin could not delete is tried again hours later alone, and never after that.',
    },
    {
      name: 'erasures-last-round-left-out',
      file,
      before: 'leftMs > 0 ? { againIn: leftMs } : undefined',
      after: 'undefined',
      tests,
      why: 'A call that ends after its user was deleted leaves what was said in it.',
    },
    {
      name: 'erasures-of-a-user-who-is-there',
      file,
      before: 'if (await store.find(tenantId, userId)) return undefined\n',
      after: '',
      tests,
      why: 'A user who is there loses conversations, keys and files.',
    },
    {
      name: 'erasures-deleted-user-not-queued',
      file: 'core-plugins/users/service.ts',
      before: 'await erasure.within(trx, tenantId, id)\n',
      after: '',
      tests,
      why: 'A user whom an administrator deletes is erased once, if at all.',
    },
    {
      name: 'erasures-unproved-user-not-queued',
      file: 'core-plugins/users/registration/sweep.ts',
      before: 'await erasure.within(trx, tenantId, id)\n',
      after: '',
      tests: ['test/core-plugins/users/registration.test.ts'],
      why: 'Somebody who never proved an address is erased once, if at all.',
    },
    {
      name: 'erasures-rejected-user-not-queued',
      file: 'core-plugins/users/approval/service.ts',
      before: 'else await erasure.within(trx, tenant.id, userId)\n',
      after: '',
      tests: ['test/core-plugins/users/approval.test.ts'],
      why: 'Somebody who was rejected is erased once, if at all.',
    },
  ],
}
