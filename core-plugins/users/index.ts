import path from 'node:path'
import { definePlugin } from '#kernel'
import { registrations, secondFactors, userDirectory } from './contract.ts'
import { profilePictures } from './contract-pictures.ts'
import { menus } from './menus.ts'
import { needs } from './needs.ts'
import { permissions } from './permissions.ts'
import { setupUsers } from './setup.ts'
import { texts } from './texts/texts.ts'

export default definePlugin({
  name: 'users',
  version: '1.0.0',
  title: texts.of('plugin.title'),
  description: texts.of('plugin.description'),
  permissions,
  menus,
  messages: texts.messages,
  migrations: path.join(import.meta.dirname, 'migrations'),
  sealed: [{ table: 'user_second_factors', column: 'secret' }],
  needs,
  provides: [userDirectory, secondFactors, registrations, profilePictures],
  setup: setupUsers,
})
