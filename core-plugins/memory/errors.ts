import { defineError } from '#kernel'

/** Also for one of somebody else's. */
export const MemoryNotFoundError = defineError(4040, 'memory_not_found', 'There is no such memory')
export const MemoryExistsError = defineError(4090, 'memory_exists', 'That is remembered already')
export const MemoryInvalidError = defineError(4220, 'memory_invalid', 'This cannot be remembered')
