import { defineError } from '#kernel'

/** A migration says something that an author's migration may not; details has file, line, expected and found. */
export const MigrationRefusedError = defineError(
  4009,
  'migration_refused',
  '{file} line {line}: expected {expected}, found {found}',
)

/** A migration is of the subset, and the database refuses it all the same; details has file and line. */
export const MigrationNotAppliedError = defineError(
  4009,
  'migration_not_applied',
  '{file} line {line}: PostgreSQL says: {why}',
)
