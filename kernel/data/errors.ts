import { defineError } from '../errors.ts'

/** Lost, refused, used up, shutting down or out of time: what was asked for was certainly not done. */
export const DatabaseUnavailableError = defineError(
  5030,
  'database_unavailable',
  'The database is not available at the moment',
)
export const CacheError = defineError(5030, 'cache_unavailable', 'The cache is not available at the moment')
export const OutcomeUnknownError = defineError(
  5036,
  'outcome_unknown',
  'The connection was lost while this was saved: look whether it was before you try again',
)
export const StorageFullError = defineError(5070, 'storage_full', 'There is no room left to store this')
export const TransactionFailedError = defineError(
  5001,
  'transaction_failed',
  'A statement of the transaction had failed before: nothing of it was saved',
)
export const DecryptError = defineError(
  5005,
  'decrypt_failed',
  'A stored secret cannot be opened with the current keys',
)
export const MigrationError = defineError(5007, 'migration_failed', 'The migration {name} of {plugin} failed')
export const LockBusyError = defineError(4092, 'lock_busy', 'Another operation holds the lock {name}')
