import { Readable } from 'node:stream'
import { PayloadTooLargeError, TooManyPartsError } from '#kernel'
import type { AttachmentOwner } from '../../broker/attachments.ts'
import { CapabilityMissingError } from '../../errors.ts'
import type { Grants } from '../../grants.ts'
import { FormReceiver, type FormFiles } from '../../plugin/receive-form.ts'
import type { SandboxServices } from '../../services.ts'
import type { TestAnswer, TestCaller, TestRequest } from './contract.ts'

/** Who sends a form in a test. */
export function whoOf({ tenant, user }: TestCaller, isPublic: boolean): Omit<AttachmentOwner, 'plugin'> {
  const tenantId = tenant === null ? 0 : (tenant?.id ?? 1)
  return { tenantId, userId: isPublic ? undefined : user?.id }
}

/** Takes forms as routes do; throws 403/4039 without the capability. */
export function testReceiver(
  { attachments }: Pick<SandboxServices, 'attachments'>,
  grants: Grants,
  owner: AttachmentOwner,
): FormReceiver {
  const capability = 'attachments:write'
  if (!grants.capabilities.has(capability) || grants.deniedFor(owner.tenantId).has(capability))
    throw new CapabilityMissingError({ details: { capability } })
  return new FormReceiver(attachments, owner, grants.limits)
}

/** Sends a form as a browser would, within the same bounds. */
export async function withTestForm(
  receiver: FormReceiver,
  { files = [], body, ...request }: TestRequest,
  { maxFiles, maxFileBytes }: { readonly maxFiles: number; readonly maxFileBytes: number },
  enter: (request: TestRequest) => Promise<TestAnswer>,
): Promise<TestAnswer> {
  if (files.length > maxFiles) throw new TooManyPartsError({ limit: maxFiles })
  const contents = files.map(({ data, ...file }) => ({
    ...file,
    bytes: typeof data === 'string' ? Buffer.from(data) : Buffer.from(data.base64, 'base64'),
  }))
  if (contents.some(({ bytes }) => bytes.length > maxFileBytes)) throw new PayloadTooLargeError({ limit: maxFileBytes })
  const parts = contents.map(({ bytes, ...file }) => ({ ...file, content: Readable.from([bytes]) }))
  const fields = (body ?? {}) as Readonly<Record<string, string>>
  const form: FormFiles = Object.assign(Readable.from(parts), { fields })
  let isDone = false
  try {
    const received = await receiver.receive(form)
    const answer = await enter({ ...request, body: { fields: received.fields, files: received.files as never } })
    isDone = answer.code === 0
    return answer
  } finally {
    if (!isDone) await receiver.drop()
  }
}
