/** Spellings of places that are not on the public internet; every one must be refused before anything is sent. */
export const forbiddenUrls = [
  // Loopback, in every way a URL can say it.
  ...[
    '127.0.0.1',
    '127.1',
    '127.0.1',
    '2130706433',
    '0x7f000001',
    '0x7f.0.0.1',
    '0x7f.1',
    '017700000001',
    '0177.0.0.1',
  ],
  ...[
    '0177.1',
    '127.0.0.1.',
    '127.000.000.001',
    '0x7f.0x0.0x0.0x1',
    '127.255.255.254',
    '0',
    '0.0.0.0',
    '0x0',
    '00000000',
  ],
  ...['%31%32%37.0.0.1', '１２７.０.０.１', '127。0。0。1', '①②⑦.⓪.⓪.①', '127.0.0.1%2e', '[::1]', '[0:0:0:0:0:0:0:1]'],
  ...['[::]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::127.0.0.1]', '[::ffff:0:127.0.0.1]', '[0000::0001]'],
  ...['[64:ff9b::127.0.0.1]', '[64:ff9b::7f00:1]', '[64:ff9b:1::7f00:1]', '[2002:7f00:1::]', '[2001:0:7f00:1::]'],
  ...['[fec0::1]', '[2001:db8::1]', '[100::1]', '[3fff::1]', '[3ffe::1]', '[5f00::1]', '[2a00::5efe:7f00:1]'],
  // Private networks.
  ...['10.0.0.1', '10.1', '0x0a000001', '012.0.0.1', '167772161', '172.16.0.1', '172.31.255.255', '192.168.0.1'],
  ...[
    '192.168.1',
    '3232235521',
    '0xc0a80001',
    '[::ffff:10.0.0.1]',
    '[::ffff:192.168.0.1]',
    '[fc00::1]',
    '[fd12:3456::1]',
  ],
  ...['100.64.0.1', '100.127.255.255', '198.18.0.1', '198.19.255.255', '192.0.0.1', '192.0.2.1', '198.51.100.1'],
  ...[
    '203.0.113.1',
    '192.88.99.1',
    '240.0.0.1',
    '255.255.255.255',
    '224.0.0.1',
    '239.255.255.250',
    '[ff02::1]',
    '0.1.2.3',
  ],
  // Where clouds hand out credentials.
  ...[
    '169.254.169.254',
    '169.254.43518',
    '2852039166',
    '0xa9fea9fe',
    '0251.0376.0251.0376',
    '[::ffff:169.254.169.254]',
  ],
  ...[
    '[::ffff:a9fe:a9fe]',
    '[64:ff9b::a9fe:a9fe]',
    '[2002:a9fe:a9fe::]',
    '[fe80::1]',
    '[fd00:ec2::254]',
    '[fd20:ce::254]',
  ],
  ...['168.63.129.16', '100.100.100.200', '192.0.0.192', '169.254.0.1', '[fe80::a9fe:a9fe]'],
].map((host) => `http://${host}/latest/meta-data/`)

/** Public addresses that nothing may take for private ones. */
export const publicAddresses = [
  ...['8.8.8.8', '1.1.1.1', '172.32.0.1', '172.15.255.255', '192.169.0.1', '11.0.0.1', '100.63.255.255', '100.128.0.1'],
  ...[
    '169.253.255.255',
    '169.255.0.1',
    '126.255.255.255',
    '128.0.0.1',
    '223.255.255.255',
    '168.63.129.17',
    '198.20.0.1',
  ],
  ...[
    '2606:4700::1111',
    '2a00:1450:4001::1',
    '2001:4860:4860::8888',
    '::ffff:8.8.8.8',
    '64:ff9b::8.8.8.8',
    '2400:cb00::1',
  ],
]

/** URLs that a plugin which was granted `api.example.test` on port 443 and 8443 must not get anywhere with. */
export const ungrantedUrls = [
  ...[
    'http://api.example.test/',
    'https://api.example.test:444/',
    'https://example.test/',
    'https://xapi.example.test/',
  ],
  ...[
    'https://api.example.test.evil.test/',
    'https://evil.test/?x=api.example.test',
    'https://evil.test/#api.example.test',
  ],
  ...['https://evil.test/api.example.test', 'https://api.example.test.:443/', 'https://api.example.test%00.evil.test/'],
  ...['https://evil.test\\.api.example.test/', 'https://a.api.example.test/'],
  ...[
    'https://api-example.test/',
    'https://api.example.tes/',
    'https://apiXexample.test/',
    'https://[::1]/',
    'https://127.0.0.1/',
  ],
  ...['https://evil.test:443\\api.example.test/', 'https://аpi.example.test/', 'https://api.example.test@evil.test/'],
  ...[
    'https://user@api.example.test/',
    'https://user:pw@api.example.test/',
    'https://:@evil.test/',
    'ftp://api.example.test/',
  ],
  ...[
    'file:///etc/passwd',
    'javascript:alert(1)',
    'data:text/plain,x',
    'ws://api.example.test/',
    'gopher://api.example.test/',
  ],
  ...[
    '//api.example.test/',
    'api.example.test',
    '',
    ' ',
    'https://',
    'https:///',
    'https://api.example.test:99999/',
    'blob:https://api.example.test/x',
  ],
]
