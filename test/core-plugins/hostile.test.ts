import { startHostilePlatform, type HostilePlatform } from '../support/hostile-platform.ts'
import { attackWithCode } from './hostile-code.ts'
import { abuseCapabilities } from './hostile-capabilities.ts'
import { escape } from './hostile-escapes.ts'

describe('a host under attack', function () {
  this.timeout(60_000)
  let platform: HostilePlatform

  before(async () => {
    platform = await startHostilePlatform()
  })
  after(() => platform[Symbol.asyncDispose]())

  describe('by code', () => attackWithCode(() => platform))
  describe('by escapes', () => escape(() => platform))
  describe('by capabilities', () => abuseCapabilities(() => platform))
})
