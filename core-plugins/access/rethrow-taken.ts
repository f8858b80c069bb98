import type { AppErrorClass } from '#kernel'

/** For `catch` of an insert or update: the error for a value that another row has, by the constraint that says so. */
export function rethrowTaken(constraint: string, field: string, taken: AppErrorClass): (error: unknown) => never {
  return (error) => {
    // Where row-level security hides the detail, objection keeps the constraint's name on the driver's error alone.
    const { nativeError } = error as { nativeError?: { constraint?: string } }
    if (nativeError?.constraint !== constraint) throw error
    throw new (taken as AppErrorClass<''>)({ details: { field }, cause: error })
  }
}
