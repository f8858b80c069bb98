import { openPackage } from '#marketplace'
import type { Admission, IncomingRelease } from './incoming.ts'
import type { Upload } from './receive-upload.ts'

/** Opens and verifies what an administrator uploads. */
export async function admitUpload(
  parts: { readonly admission: Pick<Admission, 'admit'>; readonly operations: { readonly signal: AbortSignal } },
  upload: Upload,
): Promise<IncomingRelease> {
  const opened = await openPackage(upload.zip, upload.tree, { signal: parts.operations.signal })
  const trust = await parts.admission.admit(opened)
  return { opened, zip: upload.zip, trust, source: null, publisherSignature: opened.signature }
}
