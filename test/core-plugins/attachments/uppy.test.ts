import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { createRequire } from 'node:module'
import { describe, it } from 'mocha'
import type { Api } from '../../support/api.ts'
import { bytesAt, sha256, textOf } from '../../support/attachments.ts'
import { createTenant, dataOf, startPlatform, type Platform } from '../../support/platform.ts'
import { tusPath } from '../../support/tus.ts'

/** A file as Uppy has it. */
interface UppyFile {
  readonly name: string
  readonly uploadURL?: string
  readonly error?: string | null
  readonly tus?: { readonly uploadUrl?: string | null }
}

type ProgressListener = (file: unknown, progress: { bytesUploaded: number | false }) => void

/** What is used of Uppy; its own types bring those of browsers to every file. */
interface Uppy {
  use(plugin: unknown, options: object): Uppy
  addFile(file: object): string
  getFile(id: string): UppyFile
  upload(): Promise<{ readonly failed?: readonly UppyFile[]; readonly successful?: readonly UppyFile[] } | undefined>
  pauseResume(id: string): void
  on(event: 'upload-progress', listener: ProgressListener): void
  off(event: 'upload-progress', listener: ProgressListener): void
  destroy(): void
}

const load = createRequire(import.meta.url)
const { default: UppyClass } = load('@uppy/core') as { readonly default: new () => Uppy }
const { default: Tus } = load('@uppy/tus') as { readonly default: unknown }

const zip = (bytes: number): Buffer => Buffer.concat([Buffer.from('PK\u0003\u0004'), randomBytes(bytes)])

/** A file of a browser, as tus-js-client takes it in Node. */
function fileOf(content: Buffer): Blob {
  return Object.defineProperty(Buffer.from(content), 'size', { value: content.length }) as unknown as Blob
}

describe('an upload by Uppy', () => {
  let platform: Platform
  let owner: Api
  before(async () => {
    platform = await startPlatform()
    owner = (await createTenant(platform.admin, 'acme')).owner
  })
  after(() => platform[Symbol.asyncDispose]())

  /** Uppy with its tus plugin, told no more than where to and as whom. */
  const uppyOf = (by: Api) =>
    new UppyClass().use(Tus, {
      endpoint: `${by.url}${tusPath}`,
      headers: { authorization: `Bearer ${textOf(by.token)}` },
      chunkSize: 300_000,
      retryDelays: [0, 100, 500, 1000, 2000],
    })
  const recordAt = async (uploadUrl: unknown): Promise<Record<string, unknown>> => {
    const { attachment_id } = dataOf(await owner.get(new URL(textOf(uploadUrl)).pathname))
    return dataOf(await owner.get(`/attachments/${textOf(attachment_id)}`))
  }

  it('of several files makes an attachment of each, with what is said of it', async () => {
    const uppy = uppyOf(owner)
    const contents = { 'a.zip': zip(1_000_000), 'b.zip': zip(20) }
    for (const [name, content] of Object.entries(contents)) {
      uppy.addFile({ name, type: 'application/zip', data: fileOf(content), meta: { visibility: 'tenant' } })
    }
    const { failed, successful = [] } = (await uppy.upload()) ?? {}
    assert.deepEqual([failed, successful.length], [[], 2])
    for (const { name, uploadURL } of successful) {
      const content = contents[name as keyof typeof contents]
      const { id, ...record } = await recordAt(uploadURL)
      assert.deepEqual([record['filename'], record['visibility'], record['hash']], [name, 'tenant', sha256(content)])
      assert.deepEqual(await bytesAt(owner, `/attachments/${textOf(id)}/download`), content)
    }
    uppy.destroy()
  })

  it('goes on after a pause, and is told why it is refused', async () => {
    const uppy = uppyOf(owner)
    const content = zip(1_500_000)
    const id = uppy.addFile({ name: 'c.zip', type: 'application/zip', data: fileOf(content) })
    const paused = Promise.withResolvers<void>()
    const pause: ProgressListener = (_file, { bytesUploaded }) => {
      if (Number(bytesUploaded) < 300_000) return
      uppy.off('upload-progress', pause)
      uppy.pauseResume(id)
      paused.resolve()
    }
    uppy.on('upload-progress', pause)
    const ended = uppy.upload()
    await paused.promise
    const begun = uppy.getFile(id).tus?.uploadUrl
    uppy.pauseResume(id)
    const { successful: [file] = [] } = (await ended) ?? {}
    assert.deepEqual([file?.uploadURL, (await recordAt(file?.uploadURL))['hash']], [begun, sha256(content)])
    uppy.destroy()

    const refused = uppyOf(owner)
    refused.addFile({ name: 'd.exe', type: 'application/zip', data: fileOf(zip(10)) })
    const { failed: [fault] = [] } = (await refused.upload()) ?? {}
    assert.match(textOf(fault?.error), /response code: 400, response text: \{"code":4008/)
    refused.destroy()
  })
})
