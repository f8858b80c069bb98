import { createHash, randomBytes, randomUUID } from 'node:crypto'
import type { Knex } from 'knex'
import { request, type Dispatcher } from 'undici'
import { definePlugin, generateFernetKey, processMetrics } from '#kernel'
import { canonicalOf } from '../../../../core-plugins/attachments/access/canonical.ts'
import { expiryOf, Signer } from '../../../../core-plugins/attachments/access/signer.ts'
import attachments from '../../../../core-plugins/attachments/index.ts'
import { Attachment, type Visibility } from '../../../../core-plugins/attachments/models.ts'
import { notifier, type Notifier } from '../../../../core-plugins/notifications/contract.ts'
import { profilePictures, userDirectory, type UserDirectory } from '../../../../core-plugins/users/contract.ts'
import { runningKernel } from '../../../support/auth.ts'
import { startTestKernel, type TestKernel, type TestKernelOptions } from '../../../support/kernel.ts'
import { platformToken } from '../../../support/plain-identity.ts'
import { described } from '../../../support/probe.ts'
import { plugins, storageOf } from '../../../support/storage.ts'
import { setGroup } from '../../../support/storage-world.ts'

/** The tenant that has the attachments. */
export const tenantId = 5
const owner = 501

/** Stands in for the plugin that knows users, of whom images need none. */
const nobody = definePlugin({
  ...described('nobody'),
  provides: [userDirectory, profilePictures, notifier],
  setup(scope) {
    scope.provide(userDirectory, {} as UserDirectory)
    scope.provide(profilePictures, { register: () => new DisposableStack() })
    scope.provide(notifier, {} as Notifier)
  },
})

/** What an attachment is put there as; what is left out follows from the bytes. */
export interface Put {
  readonly mimeType?: string
  readonly visibility?: Visibility
  readonly width?: number | null
  readonly height?: number | null
  readonly frames?: number
  readonly size?: number
}

/** A picture as it came back. */
export interface Got {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly bytes: Buffer
  /** The code of a refusal. */
  readonly code: number | undefined
}

/** A host with attachments, of which every address may ask for as many images as it likes. */
export interface ImageWorld extends AsyncDisposable {
  readonly host: TestKernel
  readonly signer: Signer
  readonly options: Partial<TestKernelOptions>
  /** Puts a file there, past every check of an upload; the path of its images. */
  put(bytes: Buffer, put?: Put): Promise<string>
  get(path: string, headers?: Record<string, string>, dispatcher?: Dispatcher): Promise<Got>
  /** The path with its parameters and a signature. */
  sign(path: string, parameters?: Record<string, string>): string
  configure(values: object, group?: string): Promise<void>
  /** Images that were made on this host. */
  made(): number
}

/** Starts it; with the options of another, a second host of the same platform. */
export async function startImageWorld(more: Partial<TestKernelOptions> = {}): Promise<ImageWorld> {
  const appSecret = more.env?.['APP_SECRET'] ?? randomBytes(32).toString('base64url')
  // What one host sealed, such as where files lie, another opens.
  const keys = more.env?.['CONFIG_FERNET_KEYS'] ?? generateFernetKey()
  const env = { ...more.env, APP_SECRET: appSecret, CONFIG_FERNET_KEYS: keys }
  const host = await startTestKernel({ plugins: [...plugins, nobody, attachments], ...more, env })
  const admin = host.api.as(platformToken('platform_config:*'))
  const signer = new Signer({ appSecret, appSecretPrevious: undefined })
  const configure = async (values: object, group = 'platform_image'): Promise<void> =>
    void (await setGroup(admin, group, values))
  // A busy machine may need longer for an image than its time is.
  await configure({ image_rate_limit: 6000, image_timeout_seconds: 60 })
  return {
    ...{ host, signer, configure },
    options: { ...more, env, databaseUrl: host.databaseUrl, namespace: host.namespace },
    put: (bytes, put) => putAttachment(host, bytes, put),
    get: (path, headers, dispatcher) => getPicture(host.url + path, headers, dispatcher),
    sign: (path, parameters) => signed(signer, path, parameters),
    made: () => madeOn(host),
    [Symbol.asyncDispose]: () => host[Symbol.asyncDispose](),
  }
}

async function putAttachment(host: TestKernel, bytes: Buffer, put: Put = {}): Promise<string> {
  const db: Knex = runningKernel({ test: host }).database.knex
  const [id, blobId] = [randomUUID(), randomUUID()]
  const stored = await storageOf(host).open('attachments', tenantId).put(blobId, bytes)
  const {
    mimeType = 'image/jpeg',
    visibility = 'public',
    width = null,
    height = null,
    frames = null,
    size = bytes.length,
  } = put
  const hash = createHash('sha256').update(bytes).digest('hex')
  const row = { id, blobId, mimeType, visibility, width, height, frames, hash, size: String(size), ownerId: owner }
  const { driver, storageRef } = stored
  const rest = { filename: 'a.jpg', extension: 'jpg', usage: 'general', status: 'ready', driver, storageRef } as const
  await Attachment.of(tenantId, db).insert({ ...row, ...rest })
  return `/api/public/attachments/${id}/image`
}

async function getPicture(url: string, headers: Record<string, string> = {}, dispatcher?: Dispatcher): Promise<Got> {
  const answer = await request(url, { headers, ...(dispatcher && { dispatcher }) })
  const bytes = Buffer.from(await answer.body.arrayBuffer())
  const isJson = String(answer.headers['content-type']).includes('json')
  const code = isJson ? (JSON.parse(bytes.toString()) as { code: number }).code : undefined
  return { status: answer.statusCode, headers: answer.headers, bytes, code }
}

function signed(signer: Signer, path: string, parameters: Record<string, string> = {}): string {
  const exp = expiryOf(3600)
  const id = path.split('/')[4] ?? ''
  const sign = signer.sign('image', { id, tenantId }, exp, canonicalOf(parameters))
  return `${path}?${new URLSearchParams({ ...parameters, exp: String(exp), sign }).toString()}`
}

function madeOn(host: TestKernel): number {
  const families = host.kernel.services.get(processMetrics).collect()
  const family = families.find(({ name }) => name === 'stoa_image_transforms_total')
  return family?.samples[0]?.value ?? 0
}
