import type { Needed, Scope } from '#kernel'
import { registrations, secondFactors, userDirectory } from './contract.ts'
import { profilePictures } from './contract-pictures.ts'
import type { needs } from './needs.ts'
import { createUsers } from './parts.ts'

const sweepMilliseconds = 60 * 60_000

/** Provides accounts, their second factors and their registration. */
export function setupUsers(scope: Scope, needed: Needed<typeof needs>): void {
  const users = createUsers(scope, needed)
  scope.provide(userDirectory, users.directory)
  scope.provide(secondFactors, users.secondFactors)
  scope.provide(registrations, users.registrations)
  scope.provide(profilePictures, users.avatars)
  scope.route(...users.routes)
  scope.every(sweepMilliseconds, () => users.sweep())
}
