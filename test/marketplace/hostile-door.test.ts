import { hostilePackages } from './hostile/all.ts'
import { sendThroughDoor } from './hostile/door.ts'

/** One of so many is sent here; `hostile/everything.ts` sends all of them. */
const oneOf = 40

describe('a hostile package at the door', () => {
  sendThroughDoor(hostilePackages().filter((_, index) => index % oneOf === 0))
})
