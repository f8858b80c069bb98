/** Every way to write an address that is not public; the platform's own port stands for PORT, the upstream's for UPSTREAM. */
const addresses = [
  ...['127.0.0.1', '127.1', '0', '0.0.0.0', '2130706433', '0x7f000001', '017700000001', '0177.0.0.1', '127.0.0.1.'],
  ...[
    '127.127.127.127',
    '[::1]',
    '[::]',
    '[0:0:0:0:0:0:0:1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::127.0.0.1]',
  ],
  ...[
    '[64:ff9b::7f00:1]',
    '[2002:7f00:1::]',
    '%31%32%37.0.0.1',
    '①②⑦.0.0.1',
    '127。0。0。1',
    'localhost',
    'LOCALHOST.',
  ],
  ...['stoa.localhost', 'loopback.example.com', 'loopback6.example.com', 'mapped.example.com', 'mixed.example.com'],
  'upstream.localhost.evil.example.com',
].map((host) => `http://${host}:PORT/api/public/health`)
const metadata = [
  ...[
    '169.254.169.254',
    '2852039166',
    '0xa9fea9fe',
    '0251.0376.0251.0376',
    '[::ffff:169.254.169.254]',
    '[fd00:ec2::254]',
  ],
  ...['metadata.google.internal', 'metadata.example.com', '100.100.100.200', '168.63.129.16', 'private.example.com'],
  ...['10.0.0.1', '192.168.0.1', '172.16.0.1', '[fe80::1]', '[fc00::1]', '224.0.0.1', '255.255.255.255', '198.18.0.1'],
].map((host) => `http://${host}/latest/meta-data/`)
/** What is no URL, or one that the grant does not cover. */
export const oddUrls = [
  ...['file:///etc/passwd', 'ftp://127.0.0.1/', 'gopher://127.0.0.1:PORT/', 'data:text/plain,a', 'http:///etc/passwd'],
  ...[
    'http://user:pw@upstream.localhost:UPSTREAM/',
    'http://127.0.0.1:22/',
    'http://upstream.localhost:1/',
    '',
    '//127.0.0.1',
  ],
]

/** Places near the platform. */
export const nearUrls: readonly string[] = [...addresses, ...metadata]
