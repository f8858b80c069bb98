import { surroundingsError } from '#kernel'
import { StorageError } from '../../errors.ts'

/** Does what the disk may fail in; throws 507/5070 where it is full, 500/5003 for its other failures. */
export async function disk<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    throw surroundingsError(cause) ?? new StorageError({ cause })
  }
}
