import { createWriteStream } from 'node:fs'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { ValidationFailedError, type RouteContext } from '#kernel'
import { sandboxLimits } from '#sandbox'
import type { Staging } from './staging.ts'

/** A package on its way in; disposing it removes every trace of it. */
export interface Upload extends AsyncDisposable {
  readonly zip: string
  /** A new, empty place to unpack it to. */
  readonly tree: string
}

/** Writes the one file of a multipart body to the staging folder, at most as large as a package may be. */
export async function receiveUpload(staging: Staging, ctx: Pick<RouteContext, 'files' | 'signal'>): Promise<Upload> {
  const folder = await staging.make()
  const upload: Upload = {
    zip: path.join(folder, 'pkg.zip'),
    tree: path.join(folder, 'tree'),
    [Symbol.asyncDispose]: () => staging.remove(folder),
  }
  try {
    let files = 0
    for await (const file of ctx.files({ maxFileBytes: sandboxLimits.zipBytes.max, maxFiles: 1 })) {
      if (file.field !== 'file') throw missingFile(`The file is sent as 'file', not as '${file.field}'`)
      await pipeline(file.content, createWriteStream(upload.zip, { flags: 'wx', mode: 0o600 }), { signal: ctx.signal })
      files += 1
    }
    if (files === 0) throw missingFile('The zip of the plugin is missing')
    return upload
  } catch (error) {
    await upload[Symbol.asyncDispose]()
    throw error
  }
}

function missingFile(message: string): Error {
  return new ValidationFailedError({ errors: [{ field: 'file', rule: 'required', message }] })
}
