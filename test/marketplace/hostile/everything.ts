import { hostilePackages } from './all.ts'
import { sendThroughDoor } from './door.ts'

// Not among the tests that run each time: some minutes. Run it with
// npx mocha --no-config --extension ts --require ./test/support/cluster.ts --timeout 0 test/marketplace/hostile/everything.ts
for (const [group, packages] of Object.entries(Object.groupBy(hostilePackages(), (each) => each.group))) {
  describe(`every hostile package at the door: ${group}`, () => sendThroughDoor(packages ?? []))
}
