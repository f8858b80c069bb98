/** Recipients of an e-mail that are not one plain address. */
export const badAddresses = [
  ...['', ' ', 'mina', '@example.test', 'mina@', 'a b@example.test', 'mina@exam ple.test', 'mina@@example.test'],
  ...['a@example.test,b@example.test', 'a@example.test;b@example.test', 'a@example.test b@example.test'],
  ...[
    'Mina <mina@example.test>',
    '<mina@example.test>',
    '"mina"@example.test',
    'mina@example.test>',
    'group:a@b.test;',
  ],
  ...[
    'mina@example.test\r\nBcc: all@example.test',
    'mina\r\n@example.test',
    'mina@example.test\nX-Evil: 1',
    'a\n@b.test',
  ],
  ...[
    'mina@example.test\0',
    'mi\u0000na@example.test',
    'mina@[127.0.0.1]',
    'mina@exa\u2028mple.test',
    '(x)mina@example.test',
  ],
  ...['mi\\na@example.test', `${'a'.repeat(65)}@example.test`, `a@${'b'.repeat(260)}.test`, 'mina\u202e@example.test'],
]

/** Recipients of a text message that are not one phone number. */
export const badNumbers = [
  ...['', 'mina', '+', '123', '+49 170 1234567, +49 170 7654321', '+491701234567\r\nX: 1', '+49170123456x'],
  ...['++491701234567', '1'.repeat(21), '*101#', 'tel:+491701234567', '+4917012٣4567'],
]

/** Names that try to become headers. */
export const badNames = [
  ...['Mina\r\nBcc: all@example.test', 'Mina\nX-Evil: 1', 'Mina\rCc: all@example.test', 'a\r\n\r\nX-Evil: body'],
  ...['"Mina" <evil@example.test>', 'evil@example.test, Mina', 'Mina\u2028Bcc: all@example.test', '\u202eanim'],
  ...['=?utf-8?Q?a=0D=0ABcc:_all=40example.test?=', 'x\u0000\r\nX-Evil: 1', '名字\r\nBcc: all@example.test', '\ud800x'],
]
