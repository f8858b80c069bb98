import { hostilePackages } from './all.ts'
import { sendThroughDoor } from './door.ts'

// Not among the tests that run each time: some minutes. Run it with
// npx mocha --no-config --extension ts --require ./test/support/cluster.ts --timeout 0 test/marketplace/hostile/everything.ts
describe('every hostile package at the door', () => {
  sendThroughDoor(hostilePackages())
})
