import type { Needed, Route, Scope } from '#kernel'
import { accountRoutes } from './account/routes.ts'
import { approvalRoute } from './approval/routes.ts'
import { ApprovalService } from './approval/service.ts'
import { invitationRoutes } from './invitations/routes.ts'
import { InvitationService } from './invitations/service.ts'
import { passwordResetRoutes } from './password-reset/routes.ts'
import { PasswordResetService } from './password-reset/service.ts'
import { SecurityService } from './account/security-service.ts'
import type { Registrations, SecondFactors, UserDirectory } from './contract.ts'
import { Avatars } from './avatars.ts'
import { describeUsers } from './describe-users.ts'
import { createDirectory } from './directory.ts'
import { InvitationStore } from './invitations/store.ts'
import { followDeletions, UserErasure } from './erasure.ts'
import type { needs } from './needs.ts'
import { PasswordHasher } from './passwords/password-hasher.ts'
import { Passwords } from './passwords/passwords.ts'
import { UserReach } from './reach.ts'
import { EmailProofs } from './registration/email-proofs.ts'
import { checkDefaultRole, listRoleOptions } from './registration/role-options.ts'
import { Pretences } from './registration/pretences.ts'
import { RegistrationService } from './registration/service.ts'
import { sweepRegistrations } from './registration/sweep.ts'
import { userRoutes } from './routes.ts'
import { SecondFactorChecker } from './second-factor/checker.ts'
import { SecondFactorStore } from './second-factor/store.ts'
import { UserService } from './service.ts'
import { UserStore } from './store.ts'

/** The parts of the plugin, put together. */
interface Users {
  readonly directory: UserDirectory
  readonly secondFactors: SecondFactors
  readonly registrations: Registrations
  readonly avatars: Avatars
  readonly routes: readonly Route[]
  sweep(): Promise<void>
}

/** Puts the parts of the plugin together. */
export function createUsers(scope: Scope, needed: Needed<typeof needs>): Users {
  const { access, audit, config, jobs, messages, options, registry, workflow } = needed
  const store = new UserStore(scope.db)
  const hasher = new PasswordHasher()
  const passwords = new Passwords(config, hasher)
  const factors = new SecondFactorStore(scope.db)
  const checker = new SecondFactorChecker(scope, factors)
  const invitations = new InvitationStore(scope.db)
  const proofs = new EmailProofs(messages)
  const pretences = new Pretences({ scope, messages })
  const avatars = new Avatars()
  const directory = createDirectory({ scope, store, access, config, hasher, passwords, pretences, avatars })
  const reach = new UserReach(scope.db, access)
  const erasure = new UserErasure({ scope, store, jobs })
  scope.use(jobs.register(erasure.kind))
  const { log } = scope
  followDeletions(scope, { store, invitations })
  scope.use(access.describeUsers(describeUsers(store, access)))
  const listRoles = (tenantId: number) => listRoleOptions(access, registry, tenantId)
  scope.use(options.register('default_role', listRoles))
  scope.use(workflow.register(checkDefaultRole(listRoles)))
  return {
    directory,
    avatars,
    secondFactors: checker,
    registrations: new RegistrationService({
      ...{ scope, log, store, access, registry, config, passwords, invitations, proofs, pretences },
    }),
    routes: [
      ...userRoutes(new UserService({ scope, store, access, audit, directory, reach, invitations, avatars, erasure })),
      ...invitationRoutes(new InvitationService({ scope, store, invitations, access, audit, messages, reach })),
      approvalRoute(new ApprovalService({ scope, store, access, audit, messages, reach, erasure })),
      ...passwordResetRoutes(new PasswordResetService({ scope, store, factors, passwords, audit, messages, reach })),
      ...accountRoutes(directory, new SecurityService({ scope, store, factors, checker, config, audit })),
    ],
    sweep: () => sweepRegistrations({ db: scope.db, access, invitations, erasure }),
  }
}
