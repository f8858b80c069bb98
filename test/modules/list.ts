/** A module of npm, and what shows that it works. */
export interface TriedModule {
  readonly name: string
  readonly version: string
  /** Packages installed beside it, that stand for modules of Node. */
  readonly beside: readonly string[]
  /** What a plugin that uses it begins with. */
  readonly imports: string
  /** The part of the package that is imported, where it is not the whole. */
  readonly entry: string
  /** An expression of a handler, with `ctx`. */
  readonly line: string
  /** What it gives. */
  readonly gives: unknown
}

/** `name version with packages: import …; expression => what it gives as JSON`. */
const table = String.raw`
zod 4.6.7: import { z } from 'zod'; z.object({ a: z.string().email() }).safeParse({ a: 'b' }).success => false
ajv 8.20.0: import { Ajv } from 'ajv'; new Ajv().compile({ type: 'object', required: ['a'] })({ a: 1 }) => true
ajv-formats 3.0.1: import addFormats from 'ajv-formats'; addFormats.get('date').validate('2024-02-30') => false
joi 18.3.2: import Joi from 'joi'; Joi.object({ a: Joi.number().min(3) }).validate({ a: 2 }).error.message => "\"a\" must be greater than or equal to 3"
yup 1.7.1: import { object, number } from 'yup'; await object({ a: number().required() }).validate({ a: '7' }) => { "a": 7 }
valibot 1.5.0: import * as v from 'valibot'; v.parse(v.pipe(v.string(), v.trim(), v.minLength(1)), ' a ') => "a"
validator 13.15.35: import validator from 'validator'; [validator.isEmail('ann@example.com'), validator.isIBAN('DE89370400440532013000')] => [true, true]
libphonenumber-js 1.13.16: import { parsePhoneNumberFromString } from 'libphonenumber-js'; parsePhoneNumberFromString('030 123456', 'DE').number => "+4930123456"
lodash 4.18.1: import _ from 'lodash'; [_.chunk([1, 2, 3], 2), _.template('a <%= b %>')({ b: 1 }), _.cloneDeep({ a: new Date(0) }).a.getTime()] => [[[1, 2], [3]], "a 1", 0]
lodash-es 4.18.1: import { groupBy, merge } from 'lodash-es'; [groupBy([1, 2, 3], (n) => n % 2), merge({ a: { b: 1 } }, { a: { c: 2 } })] => [{ "0": [2], "1": [1, 3] }, { "a": { "b": 1, "c": 2 } }]
underscore 1.13.8: import _ from 'underscore'; _.sortBy([3, 1, 2]) => [1, 2, 3]
ramda 0.32.0: import * as R from 'ramda'; R.pipe(R.map(R.inc), R.sum)([1, 2]) => 5
immer 11.2.10: import { produce } from 'immer'; produce({ a: [1] }, (draft) => void draft.a.push(2)) => { "a": [1, 2] }
immutable 5.2.1: import { Map } from 'immutable'; Map({ a: 1 }).set('b', 2).toJS() => { "a": 1, "b": 2 }
rxjs 7.8.2: import { delay, from, lastValueFrom, map, toArray } from 'rxjs'; await lastValueFrom(from([1, 2]).pipe(map((n) => n * 2), delay(1), toArray())) => [2, 4]
redux 5.0.1: import { createStore } from 'redux'; createStore((state = 0, { type }) => (type === 'add' ? state + 1 : state)).dispatch({ type: 'add' }) => { "type": "add" }
tslib 2.9.1: import { __rest } from 'tslib'; __rest({ a: 1, b: 2 }, ['a']) => { "b": 2 }
core-js 3.51.0: import 'core-js/actual/array/group-by.js'; Object.groupBy([1, 2], (n) => (n > 1 ? 'much' : 'little')) => { "little": [1], "much": [2] }
klona 2.0.6: import { klona } from 'klona'; klona({ a: [new Date(0)] }) => { "a": ["1970-01-01T00:00:00.000Z"] }
deepmerge 4.3.1: import merge from 'deepmerge'; merge({ a: [1] }, { a: [2] }) => { "a": [1, 2] }
fast-deep-equal 3.1.3: import equal from 'fast-deep-equal'; equal({ a: [1] }, { a: [1] }) => true
object-hash 3.0.0: import hash from 'object-hash'; hash({ a: 1 }).length => 40
async 3.2.6: import { mapLimit } from 'async'; await mapLimit([1, 2, 3], 2, async (n) => n * 2) => [2, 4, 6]
bluebird 3.7.2: import Bluebird from 'bluebird'; await Bluebird.map([1, 2], (n) => n + 1) => [2, 3]
p-limit 7.3.3: import pLimit from 'p-limit'; await Promise.all([1, 2].map((n) => pLimit(1)(() => n))) => [1, 2]
p-queue 9.3.5: import PQueue from 'p-queue'; await new PQueue({ concurrency: 1 }).addAll([async () => 1, async () => 2]) => [1, 2]
p-retry 7.1.1: import pRetry from 'p-retry'; await pRetry(async (attempt) => { if (attempt < 2) throw new Error('once'); return attempt }, { minTimeout: 1 }) => 2
mitt 3.0.1: import mitt from 'mitt'; await new Promise((resolve) => { const bus = mitt(); bus.on('a', resolve); bus.emit('a', 1) }) => 1
eventemitter3 5.0.4: import { EventEmitter } from 'eventemitter3'; await new Promise((resolve) => { const bus = new EventEmitter(); bus.once('a', resolve); bus.emit('a', 1) }) => 1
lru-cache 11.5.3: import { LRUCache } from 'lru-cache'; [...new LRUCache({ max: 2, ttl: 1_000 }).set('a', 1).set('b', 2).set('c', 3).keys()] => ["c", "b"]
dayjs 1.11.23: import dayjs from 'dayjs'; dayjs('2024-01-31').add(1, 'month').format('YYYY-MM-DD') => "2024-02-29"
date-fns 4.4.0: import { addMonths, formatISO } from 'date-fns'; formatISO(addMonths(new Date(2024, 0, 31), 1), { representation: 'date' }) => "2024-02-29"
luxon 3.7.2: import { DateTime } from 'luxon'; DateTime.fromISO('2024-03-31T01:30', { zone: 'Europe/Berlin' }).plus({ hours: 1 }).toISO() => "2024-03-31T03:30:00.000+02:00"
moment 2.31.0: import moment from 'moment'; moment.utc('2024-01-31').add(1, 'month').format('dddd') => "Thursday"
cron-parser 5.10.6: import { CronExpressionParser } from 'cron-parser'; CronExpressionParser.parse('0 2 * * *', { currentDate: '2024-01-01T03:00:00Z', tz: 'UTC' }).next().toISOString() => "2024-01-02T02:00:00.000Z"
ms 2.1.3: import ms from 'ms'; ms('2 days') => 172800000
uuid 14.0.3: import { v4, v5, validate } from 'uuid'; [validate(v4()), v5('a', v5.URL).length] => [true, 36]
nanoid 5.1.16: import { nanoid } from 'nanoid'; nanoid().length => 21
marked 18.2.1: import { marked } from 'marked'; marked.parse('*a*') => "<p><em>a</em></p>\n"
markdown-it 15.0.3: import MarkdownIt from 'markdown-it'; new MarkdownIt({ linkify: true }).render('see https://example.com') => "<p>see <a href=\"https://example.com\">https://example.com</a></p>\n"
mustache 4.2.0: import Mustache from 'mustache'; Mustache.render('{{#list}}<{{.}}>{{/list}}', { list: [1, 2] }) => "<1><2>"
handlebars 4.7.10: import Handlebars from 'handlebars'; Handlebars.compile('{{#each list}}<{{this}}>{{/each}}')({ list: [1, 2] }) => "<1><2>"
ejs 7.0.2: import ejs from 'ejs'; ejs.render('<% for (const n of list) { %><<%= n %>><% } %>', { list: [1, 2] }) => "<1><2>"
he 1.2.0: import he from 'he'; he.decode('&copy;&auml;') => "©ä"
entities 9.0.0: import { decodeHTML, encodeXML } from 'entities'; [decodeHTML('&copy;'), encodeXML('<')] => ["©", "&lt;"]
slugify 1.6.9: import slugify from 'slugify'; slugify('Größe & Maß', { lower: true }) => "grosse-and-mass"
change-case 5.4.4: import { camelCase } from 'change-case'; camelCase('two words') => "twoWords"
camelcase 9.0.0: import camelCase from 'camelcase'; camelCase('two-words') => "twoWords"
pluralize 8.0.0: import pluralize from 'pluralize'; pluralize('child', 2) => "children"
sprintf-js 1.1.3: import { sprintf } from 'sprintf-js'; sprintf('%05.1f %s', 3.14159, 'a') => "003.1 a"
diff 9.0.0: import { createPatch } from 'diff'; createPatch('a', 'a\n', 'b\n').includes('+b') => true
highlight.js 11.12.0: import hljs from 'highlight.js'; hljs.highlight('let', { language: 'javascript' }).value => "<span class=\"hljs-keyword\">let</span>"
i18next 26.7.2: import i18next from 'i18next'; (await i18next.init({ lng: 'de', resources: { de: { translation: { a_one: '{{count}} Wort', a_other: '{{count}} Worte' } } } }))('a', { count: 2 }) => "2 Worte"
intl-messageformat 12.1.5: import { IntlMessageFormat } from 'intl-messageformat'; new IntlMessageFormat('{n, plural, one {# word} other {# words}}', 'en').format({ n: 2 }) => "2 words"
papaparse 5.7.1: import Papa from 'papaparse'; Papa.parse('a,b\n1,"2,3"', { header: true }).data => [{ "a": "1", "b": "2,3" }]
csv-parse 7.0.3: import { parse } from 'csv-parse/browser/esm/sync'; parse('a,b\n1,"2,3"', { columns: true }) => [{ "a": "1", "b": "2,3" }]
yaml 2.9.1: import { parse, stringify } from 'yaml'; [parse('a: [1, 2]'), stringify({ a: 1 })] => [{ "a": [1, 2] }, "a: 1\n"]
js-yaml 5.5.0: import { load, dump } from 'js-yaml'; [load('a: [1, 2]'), dump({ a: 1 })] => [{ "a": [1, 2] }, "a: 1\n"]
fast-xml-parser 5.12.1: import { XMLParser } from 'fast-xml-parser'; new XMLParser({ ignoreAttributes: false }).parse('<a b="1">c</a>') => { "a": { "#text": "c", "@_b": "1" } }
xml2js 0.6.2 with events@3.3.0 timers@npm:timers-browserify@2.0.12: import { parseStringPromise } from 'xml2js'; await parseStringPromise('<a b="1">c</a>') => { "a": { "_": "c", "$": { "b": "1" } } }
@xmldom/xmldom 0.9.12: import { DOMParser } from '@xmldom/xmldom'; new DOMParser().parseFromString('<a><b>c</b></a>', 'text/xml').documentElement.textContent => "c"
json5 2.2.3: import JSON5 from 'json5'; JSON5.parse('{a: 1,}') => { "a": 1 }
ini 6.0.0: import ini from 'ini'; ini.parse('[a]\nb = 1') => { "a": { "b": "1" } }
qs 6.17.1: import qs from 'qs'; [qs.parse('a[b]=1'), qs.stringify({ a: [1, 2] })] => [{ "a": { "b": "1" } }, "a%5B0%5D=1&a%5B1%5D=2"]
query-string 9.5.1: import queryString from 'query-string'; queryString.parse('a=1&a=2') => { "a": ["1", "2"] }
url-parse 1.5.10: import parse from 'url-parse'; parse('https://example.com:8080/a?b=1', true).query => { "b": "1" }
cheerio 1.2.0: import * as cheerio from 'cheerio'; cheerio.load('<p class="a">b</p>')('.a').text() => "b"
htmlparser2 12.0.0: import { parseDocument } from 'htmlparser2'; parseDocument('<p>a</p>').children[0].name => "p"
sanitize-html 2.17.5: import sanitizeHtml from 'sanitize-html'; sanitizeHtml('<p onclick="a()">b<script>c</script></p>') => "<p>b</p>"
jsonpath-plus 10.4.0: import { JSONPath } from 'jsonpath-plus'; JSONPath({ path: '$..a', json: { b: { a: 1 } } }) => [1]
jmespath 0.16.0: import jmespath from 'jmespath'; jmespath.search({ a: [{ b: 1 }] }, 'a[*].b') => [1]
fast-json-patch 3.1.1: import { applyPatch } from 'fast-json-patch'; applyPatch({ a: 1 }, [{ op: 'replace', path: '/a', value: 2 }]).newDocument => { "a": 2 }
mime-types 3.0.2 with path@npm:path-browserify@1.0.1: import mime from 'mime-types'; mime.lookup('a.csv') => "text/csv"
semver 7.8.6: import semver from 'semver'; [semver.satisfies('1.2.3', '^1.0.0'), semver.inc('1.2.3', 'minor')] => [true, "1.3.0"]
bignumber.js 11.1.5: import { BigNumber } from 'bignumber.js'; new BigNumber('0.1').plus('0.2').toString() => "0.3"
decimal.js 10.6.0: import { Decimal } from 'decimal.js'; new Decimal(2).sqrt().toFixed(5) => "1.41421"
big.js 7.0.1: import Big from 'big.js'; new Big('0.1').plus('0.2').toString() => "0.3"
fraction.js 5.3.4: import Fraction from 'fraction.js'; new Fraction('0.(3)').toFraction() => "1/3"
color 5.0.3: import Color from 'color'; Color('red').hsl().string() => "hsl(0, 100%, 50%)"
tinycolor2 1.6.0: import tinycolor from 'tinycolor2'; tinycolor('red').toHexString() => "#ff0000"
fuse.js 7.5.0: import Fuse from 'fuse.js'; new Fuse(['apple', 'pear']).search('aple')[0].item => "apple"
jsonwebtoken 9.0.3: import jwt from 'jsonwebtoken'; jwt.verify(jwt.sign({ a: 1 }, 'key', { noTimestamp: true }), 'key') => { "a": 1 }
jose 6.2.18: import { jwtVerify, SignJWT } from 'jose'; await (async (key) => (await jwtVerify(await new SignJWT({ a: 1 }).setProtectedHeader({ alg: 'HS256' }).sign(key), key)).payload)(new TextEncoder().encode('k'.repeat(32))) => { "a": 1 }
crypto-js 4.2.0: import CryptoJS from 'crypto-js'; CryptoJS.AES.decrypt(CryptoJS.AES.encrypt('a', 'key').toString(), 'key').toString(CryptoJS.enc.Utf8) => "a"
tweetnacl 1.0.3: import nacl from 'tweetnacl'; nacl.sign.keyPair().publicKey.length => 32
@noble/hashes 2.4.0: import { sha256 } from '@noble/hashes/sha2.js'; sha256(new TextEncoder().encode('a'))[0] => 202
@noble/curves 2.4.0: import { ed25519 } from '@noble/curves/ed25519.js'; (({ secretKey, publicKey }, text) => ed25519.verify(ed25519.sign(text, secretKey), text, publicKey))(ed25519.keygen(), Uint8Array.of(1)) => true
bcryptjs 3.0.3: import bcrypt from 'bcryptjs'; await bcrypt.compare('a', await bcrypt.hash('a', 4)) => true
base64-js 1.5.1: import { fromByteArray } from 'base64-js'; fromByteArray(Uint8Array.of(1, 2, 3)) => "AQID"
buffer 6.0.3: import { Buffer } from 'buffer/'; Buffer.from('é').toString('hex') => "c3a9"
pako 3.0.3: import { gzip, ungzip } from 'pako'; ungzip(gzip('a'.repeat(100)), { to: 'string' }).length => 100
fflate 0.8.3: import { gunzipSync, gzipSync, strFromU8, strToU8 } from 'fflate'; strFromU8(gunzipSync(gzipSync(strToU8('a')))) => "a"
iconv-lite 0.7.3 with string_decoder@1.3.0 buffer@6.0.3: import iconv from 'iconv-lite'; iconv.decode(Uint8Array.of(0xc4, 0xe3), 'gbk') => "你"
jszip 3.10.2: import JSZip from 'jszip'; (await (await JSZip.loadAsync(await new JSZip().file('a', 'b').generateAsync({ type: 'uint8array' }))).file('a').async('string')) => "b"
graphql 16.15.0: import { buildSchema, graphql } from 'graphql'; (await graphql({ schema: buildSchema('type Query { a: Int }'), source: '{ a }', rootValue: { a: 1 } })).data => { "a": 1 }
graphql-tag 2.12.7: import gql from 'graphql-tag'; gql('{ a }').definitions.length => 1
axios 1.21.1: import axios from 'axios'; (await axios.get('https://api.example.com/a')).data => { "a": 1 }
openai 6.49.0: import OpenAI from 'openai'; (await new OpenAI({ apiKey: 'k', baseURL: 'https://api.example.com' }).models.list()).data => [{ "id": "a" }]
@anthropic-ai/sdk 1.14.0: import Anthropic from '@anthropic-ai/sdk'; (await new Anthropic({ apiKey: 'k', baseURL: 'https://api.example.com' }).models.list()).data => [{ "id": "a" }]
stripe 23.1.0: import Stripe from 'stripe'; (await new Stripe('k', { host: 'api.example.com', httpClient: Stripe.createFetchHttpClient() }).products.list()).data => [{ "id": "a" }]
`

/** Libraries that work on data, text, numbers and times, or call others: of such, those that are downloaded most. */
export const modules: readonly TriedModule[] = table.trim().split('\n').map(read)

function read(text: string): TriedModule {
  const form =
    /^(?<name>\S+) (?<version>[\d.]+)(?: with (?<beside>[^:]\S*(?: \S+)*?))?: (?<imports>import (?:.+? from )?'(?<entry>[^']+)'); (?<line>.+) => (?<gives>.+)$/
  const found = form.exec(text)?.groups
  if (!found) throw new Error(`Not of the form of the table: ${text}`)
  const { name = '', version = '', beside, imports = '', entry = '', line = '', gives = '' } = found
  return { name, version, beside: beside?.split(' ') ?? [], imports, entry, line, gives: JSON.parse(gives) as unknown }
}
