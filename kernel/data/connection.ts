import { defineService } from '../service.ts'

/** Leads to the same database under another login role; for roles that the platform makes for plugins. */
export interface DatabaseConnection {
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
