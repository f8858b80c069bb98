import assert from 'node:assert/strict'
import { readIdentifier } from '../../../core-plugins/users/identifier.ts'
import { commonPasswords } from '../../../core-plugins/users/passwords/common-passwords.ts'
import { generatePassword } from '../../../core-plugins/users/passwords/generate-password.ts'
import { HashQueue } from '../../../core-plugins/users/passwords/hash-queue.ts'
import { PasswordHasher } from '../../../core-plugins/users/passwords/password-hasher.ts'
import { checkPassword } from '../../../core-plugins/users/passwords/password-rules.ts'

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
  let common: ReadonlySet<string>
  before(async () => {
    common = await commonPasswords()
  })
  const rulesBroken = (password: string, complexity = 'none') => {
    const rules = { minLength: 8, complexity, names: ['Acropolis', 'ann.smith'], common }
    return checkPassword(password, rules).map(({ rule }) => rule)
  }

  it('know some ten thousand passwords of eight characters and more', () => {
    const long = [...common].filter((word) => word.length >= 8)
    assert.ok(long.length > 10_000, `only ${long.length}`)
    assert.deepEqual([...new Set(long.slice(0, 200).flatMap((word) => rulesBroken(word)))], ['blocklist'])
  })

  it('refuse what is guessed first', () => {
    const lists = {
      blocklist: [
        'zyxwvuts',
        'qwertyuiop',
        'P@ssw0rd',
        'Woaini1314',
        'football2024',
        'Sunshine99!',
        'ｐａｓｓｗｏｒｄ',
      ],
      repetition: ['abcabcabc', '12121212', 'aaaaaaaaaaaa', 'haha-haha-haha'],
      sequence: ['abcd1234', 'qwerty654321', '1qaz2wsx3edc'],
    }
    assert.deepEqual(
      Object.values(lists).flatMap((list) => list.map((password) => rulesBroken(password))),
      Array(14).fill(['blocklist']),
    )
    assert.deepEqual(
      ['acropolis2', 'AnnSmith!12'].map((password) => rulesBroken(password)),
      [['similarity'], ['similarity']],
    )
  })

  it('let pass what is long and one’s own, in any script', () => {
    const passwords = ['a fine sentence', 'ein schöner Satz', '月亮代表我的心啊', 'Xk7-pQ2!vb', 'football with friends']
    assert.deepEqual(
      passwords.map((password) => rulesBroken(password)),
      [[], [], [], [], []],
    )
  })

  it('count characters, not bytes or halves of them', () => {
    assert.deepEqual(
      [rulesBroken('🦊🐻🐼🦁🐯🐨🐸'), rulesBroken('🦊🐻🐼🦁🐯🐨🐸🐵'), rulesBroken('long '.repeat(26))],
      [['length'], [], ['length', 'blocklist']],
    )
  })

  it('let generated passwords pass, of every length a tenant may ask for', () => {
    const broken = [8, 16, 64].flatMap((minLength) => {
      const rules = { minLength, complexity: 'all_classes', names: [], common }
      return Array.from({ length: 50 }, () => checkPassword(generatePassword(minLength), rules)).flat()
    })
    assert.deepEqual(broken, [])
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
