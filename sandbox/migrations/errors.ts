import { defineError } from '#kernel'

/** A migration says something that an author's migration may not; details has file, line, expected and found. */
export const MigrationRefusedError = defineError(
  4009,
  'migration_refused',
  '{file} line {line}: expected {expected}, found {found}',
)
