import type { Fence } from '../mutation.ts'

const access = 'test/core-plugins/attachments/access.test.ts'
const routes = 'test/core-plugins/whole/routes.test.ts'
const avatars = 'test/core-plugins/attachments/avatars.test.ts'
const chunks = 'test/core-plugins/attachments/chunks.test.ts'
const records = 'test/core-plugins/attachments/records.test.ts'
const scan = 'test/core-plugins/attachments/scanning/scan.test.ts'
const signer = 'test/core-plugins/attachments/signer.test.ts'
const tus = 'test/core-plugins/attachments/tus-protocol.test.ts'
const upload = 'test/core-plugins/attachments/upload.test.ts'
const workers = 'test/core-plugins/attachments/images/transformer.test.ts'

/** A file is given to whom it is open, counts where it belongs, and was looked at before. */
export const attachments: Fence = {
  name: 'attachments',
  mutations: [
    {
      name: 'file-at-the-host-of-another-tenant',
      file: 'core-plugins/attachments/access/attachment-access.ts',
      before: 'if (tenant && tenant.id !== tenantId) throw new AttachmentNotFoundError()\n',
      after: '',
      tests: [access],
      why: 'A tenant’s page for phishing is open under the host name of another tenant.',
    },
    {
      name: 'file-of-a-closed-tenant',
      file: 'core-plugins/attachments/access/attachment-access.ts',
      before: "if (owner.status !== 'active') throw",
      after: "if (owner.status === 'active' && !owner) throw",
      tests: [access],
      why: 'What a disabled tenant published goes on being given away.',
    },
    {
      name: 'file-link-for-another-use',
      file: 'core-plugins/attachments/access/signer.ts',
      before: 'update(`v1\\n${op}\\n${id}\\n${exp}\\n${canonical}`)',
      after: "update(`v1\\n${op && ''}\\n${id}\\n${exp}\\n${canonical}`)",
      tests: [signer],
      why: 'A link to a small picture opens the file itself.',
    },
    {
      name: 'file-link-of-years',
      file: 'core-plugins/attachments/access/signer.ts',
      before: 'exp <= seconds || exp > seconds + weekSeconds',
      after: 'exp <= seconds || exp > seconds + 520 * weekSeconds',
      tests: [signer],
      why: 'A link that a leaked key made is good for years.',
    },
    {
      name: 'file-link-longer-in-the-bucket',
      file: 'core-plugins/attachments/access/give-content.ts',
      before: 'Math.max(1, Math.min(ttl, remaining))',
      after: 'Math.max(1, ttl + 0 * remaining)',
      tests: ['test/core-plugins/attachments/s3.test.ts'],
      why: 'A link that is good for a minute is exchanged for one of the bucket that is good for an hour.',
    },
    {
      name: 'image-link-longer-in-the-bucket',
      file: 'core-plugins/attachments/images/caching.ts',
      before: "const valid = by === 'signed' ? Math.max(1, Math.min(usual, leftOf(expires, now))) : usual",
      after: "const valid = by === 'signed' ? Math.max(1, usual + 0 * leftOf(expires, now)) : usual",
      tests: ['test/core-plugins/attachments/images/native.test.ts'],
      why: 'A link to a picture that ends in a minute is exchanged for one that ends in an hour.',
    },
    {
      name: 'file-open-while-it-is-scanned',
      file: 'core-plugins/attachments/access/readable-by.ts',
      before: "const visibility = attachment.status === 'ready' ? attachment.visibility : 'private'",
      after: 'const visibility = attachment.visibility',
      tests: [scan],
      why: 'Colleagues see records of files that no scanner has looked at, infected ones too.',
    },
    {
      name: 'file-instant-by-its-hash',
      file: 'core-plugins/attachments/uploads/preflight.ts',
      before: "void readable.where('visibility', 'public')\n",
      after: "void readable.whereNotNull('visibility')\n",
      tests: [upload],
      why: 'Whoever knows the hash of a colleague’s private file gets its bytes.',
    },
    {
      name: 'upload-of-somebody-else',
      file: 'core-plugins/attachments/uploads/upload-rows.ts',
      before: '.findOne({ id, owner_id: userId })',
      after: '.findOne(userId > 0 ? { id } : { id, owner_id: userId })',
      tests: [chunks],
      why: 'Colleagues put their bytes into one’s upload, or end it.',
    },
    {
      name: 'uploads-announced-without-bounds',
      file: 'core-plugins/attachments/uploads/routes.ts',
      before: "      limit: { policy: 'attachment_preflight', requests: 600, seconds: 60, by: 'user' },\n",
      after: '',
      tests: [routes],
      why: 'Hashes are tried without end, until one is that of a file of the tenant.',
    },
    {
      name: 'upload-tus-of-somebody-else',
      file: 'core-plugins/attachments/tus/tus-uploads.ts',
      before: ".where({ owner_id: userId, mode: 'tus' })",
      after: ".where(userId > 0 ? { mode: 'tus' } : { owner_id: userId, mode: 'tus' })",
      tests: [tus],
      why: 'Colleagues go on with an upload by tus that is not theirs.',
    },
    {
      name: 'upload-tus-where-none-are-taken',
      file: 'core-plugins/attachments/tus/tus-uploads.ts',
      before: 'await demandUploads(config, principal.tenantId)\n',
      after: '',
      tests: [tus],
      why: 'Uploads that were begun before the tenant switched them off still come.',
    },
    {
      name: 'scanner-by-an-old-sign-in',
      file: 'core-plugins/attachments/scanning/guard-settings.ts',
      before: 'requireFreshSignIn(actor)\n',
      after: '',
      tests: ['test/core-plugins/attack/rights-contents.test.ts'],
      why: 'Whoever finds an open console of the highest administrator has every file sent to a scanner of their own.',
    },
    {
      name: 'scanner-of-small-files-alone',
      file: 'core-plugins/attachments/scanning/guard-settings.ts',
      before: 'items.map(({ key }) => key)',
      after: "items.map(({ key }) => key).filter((key) => key !== 'attachment_scan_max_mb')",
      tests: ['test/core-plugins/attack/rights-contents.test.ts'],
      why: 'Staff who may change settings have files go past the scanner, by the size from which on it looks at none.',
    },
    {
      name: 'scanner-infected-elsewhere',
      file: 'core-plugins/attachments/scanning/scan-job.ts',
      before: 'void (isInfected ? same.where({ hash }) : same.where({ id }))',
      after: 'void (isInfected && !hash ? same.where({ hash }) : same.where({ id }))',
      tests: [scan],
      why: 'Other copies of infected bytes stay open to everybody.',
    },
    {
      name: 'avatar-that-is-in-use',
      file: 'core-plugins/attachments/pictures/profile-pictures.ts',
      before: "return usage === 'avatar' && (await held.resultSize()) === 0",
      after: "return usage === 'avatar' && (await held.resultSize()) >= 0",
      tests: [avatars],
      why: 'An administrator’s avatar is given to somebody else, who may delete it.',
    },
    {
      name: 'files-left-of-a-user',
      file: 'core-plugins/attachments/records/attachment-service.ts',
      before: "own.where({ visibility: 'private' }).orWhere({ usage: 'avatar' })",
      after: "own.where({ usage: 'avatar' })",
      tests: [avatars],
      why: 'Private files of a user who is gone stay, for administrators to read.',
    },
    {
      name: 'files-deleted-by-a-lesser-right',
      file: 'core-plugins/attachments/records/routes.ts',
      before: "permission: 'platform_attachment:delete'",
      after: "permission: 'platform_attachment:list'",
      tests: [routes],
      why: 'Staff who may only look delete the files of every tenant.',
    },
    {
      name: 'files-deleted-unseen',
      file: 'core-plugins/attachments/records/attachment-service.ts',
      before: 'await audit.record({ ...entry, traceId: state.traceId }, trx)\n',
      after: 'void [audit, entry, state]\n',
      tests: [records],
      why: 'An administrator deletes others’ files and no log says so.',
    },
    {
      name: 'image-worker-reads-everything',
      file: 'core-plugins/attachments/images/worker/image-worker.ts',
      before: "`--allow-fs-read=${path.join(import.meta.dirname, '..')}/*`",
      after: "'--allow-fs-read=*'",
      tests: [workers],
      why: 'Bytes that break out of a decoder read the files of the host.',
    },
    {
      name: 'image-worker-knows-the-environment',
      file: 'core-plugins/attachments/images/worker/image-worker.ts',
      before: "env: { MALLOC_ARENA_MAX: '2',",
      after: "env: { ...process.env, MALLOC_ARENA_MAX: '2',",
      tests: [workers],
      why: 'Bytes that break out of a decoder read the platform’s secrets.',
    },
  ],
}
