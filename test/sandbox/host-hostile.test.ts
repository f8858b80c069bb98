import { holdsAttacks } from './host-attacked.ts'
import { bombs, floods, loops, throws } from './host-attacks.ts'
import { web } from './web-attacks.ts'

describe('a hostile plugin', () => {
  holdsAttacks({ loops, bombs, floods, throws, web })

  describe('of an official publisher, whose host has the JIT', () => {
    holdsAttacks({ loops, bombs }, { trusted: true, cpuMs: 150 })
  })

  describe('where the system caps no memory', () => {
    holdsAttacks({ bombs }, { options: { capMemory: false } })
  })
})
