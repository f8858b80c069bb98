import { defineError } from '../errors.ts'

export const DatabaseError = defineError(5001, 'database_error', 'The database cannot be reached')
export const CacheError = defineError(5002, 'cache_error', 'The cache cannot be reached')
export const DecryptError = defineError(
  5005,
  'decrypt_failed',
  'A stored secret cannot be opened with the current keys',
)
export const MigrationError = defineError(5007, 'migration_failed', 'The migration {name} of {plugin} failed')
export const LockBusyError = defineError(4092, 'lock_busy', 'Another operation holds the lock {name}')
