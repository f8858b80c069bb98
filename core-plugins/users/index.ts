import path from 'node:path'
import { definePlugin } from '#kernel'
import { access, audit } from '../access/contract.ts'
import { configReader } from '../config/contract.ts'
import { userDirectory } from './contract.ts'
import { createDirectory } from './directory.ts'
import { menus } from './menus.ts'
import { messages } from './messages.ts'
import { PasswordHasher } from './passwords/password-hasher.ts'
import { Passwords } from './passwords/passwords.ts'
import { permissions } from './permissions.ts'
import { userRoutes } from './routes.ts'
import { UserService } from './service.ts'
import { UserStore } from './store.ts'

export default definePlugin({
  name: 'users',
  version: '1.0.0',
  title: { default: 'Users', 'zh-CN': '用户' },
  description: { default: 'Users of the platform and of tenants', 'zh-CN': '平台与租户的用户' },
  permissions,
  menus,
  messages,
  migrations: path.join(import.meta.dirname, 'migrations'),
  needs: { access, audit, config: configReader },
  provides: [userDirectory],
  setup(scope, { access, audit, config }) {
    const store = new UserStore(scope.db)
    const hasher = new PasswordHasher()
    const passwords = new Passwords(config, hasher)
    const directory = createDirectory({ scope, store, access, hasher, passwords })
    scope.provide(userDirectory, directory)
    scope.route(...userRoutes(new UserService({ scope, store, access, audit, directory })))
  },
})
