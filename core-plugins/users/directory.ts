import { NotFoundError, type Scope } from '#kernel'
import type { Access } from '../access/contract.ts'
import type { ConfigReader } from '../config/contract.ts'
import { usersChanged, type UserDirectory } from './contract.ts'
import { ProfileEditOffError } from './errors.ts'
import { readIdentifier } from './identifier.ts'
import { keepLastHolder } from './last-holder.ts'
import type { User } from './models.ts'
import type { PasswordHasher } from './passwords/password-hasher.ts'
import type { Passwords } from './passwords/passwords.ts'
import { presentUser } from './present.ts'
import type { Pretences } from './registration/pretences.ts'
import type { Avatars } from './avatars.ts'
import { requireProfile } from './profile-rules.ts'
import type { UserStore } from './store.ts'

/** What the directory stands on. */
interface DirectoryParts {
  readonly scope: Scope
  readonly store: UserStore
  readonly access: Access
  readonly config: ConfigReader
  readonly hasher: PasswordHasher
  readonly passwords: Passwords
  readonly pretences: Pretences
  readonly avatars: Avatars
}

/** What other plugins may do with users. */
export function createDirectory(parts: DirectoryParts): UserDirectory {
  const { scope, store, access, config, hasher, passwords, pretences, avatars } = parts

  async function getUser(tenantId: number, id: number): Promise<User> {
    const user = await store.find(tenantId, id)
    if (!user) throw new NotFoundError()
    return user
  }

  async function fits(user: User | undefined, password: string): Promise<boolean> {
    const compared = await hasher.compare(password, user?.passwordHash ?? null)
    if (user && compared.outdated) await store.refreshHash(user, await hasher.hash(password))
    return compared.fits
  }

  return {
    spell: (name) => readIdentifier(name).value,
    find: (tenantId, id) => store.find(tenantId, id),
    list: (tenantId, query) => store.listById(tenantId, query),
    byId: (ids) => store.byId(ids),
    countIn: (tenantIds) => store.countIn(tenantIds),
    findByIdentifier: (tenantId, identifier) => store.findByIdentifier(tenantId, identifier),
    async isUsersAddress(tenantId, email) {
      const user = await store.findByIdentifier(tenantId, email)
      return user?.status === 'active' && user.email === readIdentifier(email).value
    },

    hashPassword: (password, owner) => passwords.hash(password, owner),

    async create(tenantId, user, trx) {
      const created = await store.insert(tenantId, user, trx)
      const happened = { tenantId, userId: created.id, change: 'created' } as const
      await scope.emitWithin(trx, usersChanged, happened)
      const tell = () => scope.emit(usersChanged, happened)
      // A rolled back transaction created nobody; its caller has the error.
      void trx.executionPromise.then(tell, () => undefined)
      return created
    },

    async setPassword(tenantId, id, password, { changeRequired = false, tenantName } = {}) {
      const user = await getUser(tenantId, id)
      const passwordHash = await passwords.hashAnother(password, { ...user, tenantName, field: 'new_password' })
      await scope.db.transaction(async (trx) => {
        await store.renewHash(tenantId, id, { passwordHash, changeRequired }, trx)
        await scope.emitWithin(trx, usersChanged, { tenantId, userId: id, change: 'password' })
      })
      await scope.emit(usersChanged, { tenantId, userId: id, change: 'password' })
      return getUser(tenantId, id)
    },

    async identify(tenantId, identifier) {
      const user = await store.findByIdentifier(tenantId, identifier)
      return {
        user,
        fits: (password) => fits(user, password),
        isPretended: async (password) => user !== undefined && pretences.has(user, password),
      }
    },

    verifyPassword: async (tenantId, id, password) => fits(await store.find(tenantId, id), password),

    touchLogin: (tenantId, id) => store.patch(tenantId, id, { lastLoginAt: new Date() }),

    async disable(tenantId, id) {
      await scope.db.transaction(async (trx) => {
        await keepLastHolder({ access, store }, tenantId, id, trx)
        await store.patch(tenantId, id, { status: 'disabled' }, trx)
        await scope.emitWithin(trx, usersChanged, { tenantId, userId: id, change: 'disabled' })
      })
      await scope.emit(usersChanged, { tenantId, userId: id, change: 'disabled' })
    },

    async updateProfile(tenantId, id, { nickname, locale, timezone, ...avatar }) {
      if (tenantId !== 0 && !(await config.get('allow_profile_edit', tenantId, true))) throw new ProfileEditOffError()
      requireProfile({ nickname, avatarUrl: avatar.avatarUrl })
      await scope.db.transaction(async (trx) => {
        const avatarUrl = await avatars.change(trx, { tenantId, userId: id }, avatar)
        await store.patch(tenantId, id, { nickname, avatarUrl, locale, timezone }, trx)
        await scope.emitWithin(trx, usersChanged, { tenantId, userId: id, change: 'updated' })
      })
      const user = await getUser(tenantId, id)
      await scope.emit(usersChanged, { tenantId, userId: id, change: 'updated' })
      return user
    },

    async present(user) {
      const { tenantId, id } = user
      const [roles, orgs] = await Promise.all([access.rolesOf(tenantId, [id]), access.orgsOf(tenantId, [id])])
      return presentUser(user, roles.get(id) ?? [], orgs.get(id) ?? [])
    },
  }
}
