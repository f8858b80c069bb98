import { fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { readS3Settings, type S3Settings } from '../../core-plugins/storage/drivers/s3/s3-settings.ts'

/**
 * How the server misbehaves, and at which operation: bucket, put, get, head, delete, uploads, create, part, complete or abort. `until-alone` does
 * what is asked once the caller has gone, `unheard` never does nor answers.
 */
export interface S3Fault {
  readonly on: string
  readonly kind:
    | 'status'
    | 'redirect'
    | 'slow'
    | 'until-alone'
    | 'unheard'
    | 'cut-request'
    | 'cut-answer'
    | 'short'
    | 'error-in-body'
  /** Once unless said otherwise. */
  readonly times?: number
  readonly status?: number
  readonly code?: string
  readonly location?: string
  readonly milliseconds?: number
}

/** What the server has, and what it was asked since the last look. */
export interface S3State {
  readonly objects: readonly {
    readonly key: string
    readonly size: number
    readonly type: string
    readonly acl: string
    readonly sha256: string
  }[]
  readonly uploads: number
  readonly seen: readonly string[]
  /** What each of these was about; nothing for the bucket. */
  readonly keys: readonly string[]
}

/** What the server's process is told. */
export interface S3Command {
  readonly id: number
  readonly faults?: readonly S3Fault[]
  readonly forget?: boolean
  /** Scripts of which origin are let in from now on; null for none. */
  readonly origin?: string | null
}

/** A service that speaks S3 and verifies every signature, in a process of its own on loopback. */
export interface S3Server extends AsyncDisposable {
  readonly port: number
  /** Settings of the driver that fit it; `localhost` unless another host is given. */
  config(more?: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>
  /** The same for the client itself. */
  settings(more?: Readonly<Record<string, unknown>>): S3Settings
  /** Makes the next operations fail; replaces what was said before. */
  fail(...faults: readonly S3Fault[]): Promise<void>
  state(): Promise<S3State>
  forget(): Promise<void>
  /** Lets scripts of one origin in, as its owner may have set; none at first. */
  letIn(origin: string | null): Promise<void>
}

/** The service's only bucket and credentials. */
export const s3Bucket = 'stoa-test'
export const s3Secret = 'wJalrXUtnFEMI-K7MDENG+bPxRfiCYEXAMPLE'
export const s3KeyId = 'AKIDEXAMPLE'

/** Starts it. */
export async function startS3Server(): Promise<S3Server> {
  const credentials = { accessKeyId: s3KeyId, secretAccessKey: s3Secret, region: 'eu-test-1' }
  const program = path.join(import.meta.dirname, 's3-server-process.ts')
  const child = fork(program, [s3Bucket, JSON.stringify(credentials)], { execArgv: [] })
  const [{ port }] = (await once(child, 'message')) as [{ port: number }]
  const waiting = new Map<number, (state: S3State) => void>()
  child.on('message', ({ id, state }: { id: number; state: S3State }) => {
    waiting.get(id)?.(state)
    waiting.delete(id)
  })
  let last = 0

  function tell(command: Omit<S3Command, 'id'>): Promise<S3State> {
    const id = ++last
    const { promise, resolve } = Promise.withResolvers<S3State>()
    waiting.set(id, resolve)
    child.send({ id, ...command })
    return promise
  }

  const config: S3Server['config'] = (more = {}) => ({
    provider: 'minio',
    endpoint: `http://localhost:${port}`,
    region: credentials.region,
    bucket: s3Bucket,
    access_key_id: s3KeyId,
    secret_access_key: s3Secret,
    prefix: 'files',
    ...more,
  })
  return {
    port,
    config,
    settings: (more) => readS3Settings({ presign_ttl: 3600, image_process: 'none', ...config(more) }),
    fail: async (...faults) => void (await tell({ faults })),
    state: () => tell({}),
    letIn: async (origin) => void (await tell({ origin })),
    forget: async () => void (await tell({ forget: true, faults: [] })),
    async [Symbol.asyncDispose]() {
      const ended = once(child, 'exit')
      child.disconnect()
      await ended
    },
  }
}
