/** One stored object, without its bytes. */
export interface PluginObject {
  readonly key: string
  readonly size: number
  readonly contentType: string
  readonly sha256: string
  readonly createdAt: Date
  readonly expiresAt: Date | null
}

/** What a put is held to; the store refuses with 429/4297 what goes beyond. */
interface PluginObjectLimits {
  readonly objectBytes: number
  readonly totalBytes: number
  readonly objects: number
}

/** The objects of one plugin and tenant, in the namespace `plugins/{name}/`. */
export interface PluginObjectStore {
  put(
    key: string,
    content: Buffer,
    options?: {
      readonly contentType?: string
      readonly ttlSeconds?: number
      readonly limits?: PluginObjectLimits
    },
  ): Promise<PluginObject>
  get(
    key: string,
  ): Promise<{ readonly object: PluginObject; readonly content: AsyncIterable<Buffer | string> } | undefined>
  stat(key: string): Promise<PluginObject | undefined>
  delete(key: string): Promise<boolean>
  list(options?: { readonly prefix?: string; readonly cursor?: string | undefined; readonly limit?: number }): Promise<{
    readonly items: readonly PluginObject[]
    readonly nextCursor: string | undefined
  }>
  usage(): Promise<{ readonly bytes: number; readonly objects: number }>
  signedUrl(key: string, ttlSeconds: number): Promise<string>
}
