import { createTenant, startPlatform, type Platform } from './platform.ts'
import type { Answer, Api, Body } from './api.ts'
import type { TestKernelOptions } from './kernel.ts'
import { startS3Server, type S3Server } from './s3-server.ts'

/** A platform with a tenant, beside an S3 service that the platform's own settings may reach. */
export interface StorageWorld extends AsyncDisposable {
  readonly platform: Platform
  readonly admin: Api
  readonly owner: Api
  readonly tenantId: number
  readonly s3: S3Server
}

/** Starts it. */
export async function setupStorageWorld(options: Partial<TestKernelOptions> = {}): Promise<StorageWorld> {
  await using started = new AsyncDisposableStack()
  const s3 = started.use(await startS3Server())
  const env = { EGRESS_ALLOW_PRIVATE: `localhost:${s3.port},127.0.0.1:${s3.port}`, ...options.env }
  const platform = started.use(await startPlatform({ ...options, env }))
  const { owner, id: tenantId } = await createTenant(platform.admin, 'acme')
  const stack = started.move()
  return { platform, admin: platform.admin, owner, tenantId, s3, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

/** The steps of a test as `name` or `name: reason`. */
export function stepsOf({ body }: Answer): readonly string[] {
  const data = (body['data'] ?? body['details']) as unknown as {
    steps: readonly { name: string; error?: { reason: string } }[]
  }
  return data.steps.map(({ name, error }) => (error ? `${name}: ${error.reason}` : name))
}

/** Settings of a group changed by whoever may; the answer must be 200. */
export async function setGroup(by: Api, code: string, values: object): Promise<Body> {
  const answer = await by.put(`/configs/groups/${code}`, values)
  if (answer.status !== 200) throw new Error(`the group was answered ${answer.status}: ${JSON.stringify(answer.body)}`)
  return answer.body['data'] as Body
}
