import assert from 'node:assert/strict'
import { readIdentifier } from '../../core-plugins/users/identifier.ts'
import { HashQueue } from '../../core-plugins/users/passwords/hash-queue.ts'
import { PasswordHasher } from '../../core-plugins/users/passwords/password-hasher.ts'
import { checkPassword } from '../../core-plugins/users/passwords/password-rules.ts'

describe('password hashes', () => {
  const hasher = new PasswordHasher()

  it('are argon2id in the PHC form and fit their password alone, however it was typed', async () => {
    const hash = await hasher.hash('caf\u00e9 au lait')
    assert.match(hash, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/)
    assert.deepEqual(
      await Promise.all([
        hasher.compare('cafe\u0301 au lait', hash),
        hasher.compare('cafe au lait', hash),
        hasher.compare('', null),
      ]),
      [
        { fits: true, outdated: false },
        { fits: false, outdated: false },
        { fits: false, outdated: false },
      ],
    )
  })

  it('of other costs still fit and ask to be renewed', async () => {
    // argon2id of 'old password' with m=1024,t=1,p=1, made with the reference parameters' smaller cousin.
    const { argon2Sync } = await import('node:crypto')
    const nonce = Buffer.alloc(16, 7)
    const options = { message: 'old password', nonce, memory: 1024, passes: 1, parallelism: 1, tagLength: 32 }
    const tag = argon2Sync('argon2id', options)
    const [salt, hash] = [nonce, tag].map((bytes) => bytes.toString('base64').replace(/=+$/, ''))
    const stored = `$argon2id$v=19$m=1024,t=1,p=1$${salt}$${hash}`
    assert.deepEqual(await hasher.compare('old password', stored), { fits: true, outdated: true })
  })

  it('are made four at a time, and no more than 64 wait', async () => {
    const queue = new HashQueue()
    let running = 0
    let most = 0
    const { promise: gate, resolve: open } = Promise.withResolvers<void>()
    const work = async () => {
      most = Math.max(most, ++running)
      await gate
      running -= 1
    }
    const outcomes = Array.from({ length: 70 }, () =>
      queue.run(work).then(
        () => 'done',
        (error: { code: number }) => error.code,
      ),
    )
    open()
    const counts = Object.groupBy(await Promise.all(outcomes), String)
    assert.deepEqual([most, counts['done']?.length, counts['5033']?.length], [4, 68, 2])
    assert.equal(await queue.run(() => Promise.resolve('again')), 'again')
  })
})

describe('password rules', () => {
  const rulesBroken = (password: string, complexity = 'none') =>
    checkPassword(password, { minLength: 8, complexity, names: ['Acropolis', 'ann.smith'] }).map(({ rule }) => rule)

  it('refuse what is guessed first', () => {
    const passwords = ['zyxwvuts', 'qwertyuiop', 'P@ssw0rd', 'acropolis2', 'AnnSmith!12', 'a fine sentence']
    assert.deepEqual(
      passwords.map((password) => rulesBroken(password)),
      [['blocklist'], ['blocklist'], ['blocklist'], ['similarity'], ['similarity'], []],
    )
  })

  it('ask for kinds of characters where the configuration does', () => {
    assert.deepEqual(
      [
        rulesBroken('onlyletters', 'letters_digits'),
        rulesBroken('letters4digits', 'letters_digits'),
        rulesBroken('letters4digits', 'mixed_case_digits'),
        rulesBroken('Letters4digits', 'all_classes'),
        rulesBroken('Letters-4-digits', 'all_classes'),
      ],
      [['complexity'], [], ['complexity'], ['complexity'], []],
    )
  })
})

describe('a typed name', () => {
  it('means an e-mail, a phone or an account, in one spelling', () => {
    assert.deepEqual(['Ann@B\u00fccher.Example', '0049 30/', '+49 (30) 12-34', ' Ann.Smith '].map(readIdentifier), [
      { column: 'email', value: 'ann@xn--bcher-kva.example' },
      { column: 'account', value: '0049 30/' },
      { column: 'phone', value: '+493012 34'.replace(' ', '') },
      { column: 'account', value: 'ann.smith' },
    ])
  })
})
