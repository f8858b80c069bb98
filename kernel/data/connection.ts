import { defineService } from '../service.ts'

/** Leads to the database past the pool: for a connection that is held, and for the roles that the platform makes for plugins. */
export interface DatabaseConnection {
  /** Under the platform's own role. */
  readonly url: string
  urlFor(user: string, password: string): string
}

/** Provided by the kernel. */
export const databaseConnection = defineService<DatabaseConnection>('kernel.database_connection')

/** A database URL with another user and password. */
export function withLogin(url: string, user: string, password: string): string {
  const changed = new URL(url)
  changed.username = encodeURIComponent(user)
  changed.password = encodeURIComponent(password)
  return changed.href
}
