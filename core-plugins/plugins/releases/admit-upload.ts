import { openPackage } from '#marketplace'
import type { Parts } from '../parts.ts'
import type { IncomingRelease } from './incoming.ts'
import type { Upload } from './receive-upload.ts'

/** Opens and verifies what an administrator uploads. */
export async function admitUpload(parts: Parts, upload: Upload): Promise<IncomingRelease> {
  const opened = await openPackage(upload.zip, upload.tree, { signal: parts.operations.signal })
  const trust = await parts.admission.admit(opened)
  return { opened, zip: upload.zip, trust, source: null, publisherSignature: opened.signature }
}
