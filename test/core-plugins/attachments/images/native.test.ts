import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import type { AllowedAccess } from '../../../../core-plugins/attachments/access/attachment-access.ts'
import { linkSeconds } from '../../../../core-plugins/attachments/images/caching.ts'
import { nativeImage } from '../../../../core-plugins/attachments/images/native/native-image.ts'
import { planImage } from '../../../../core-plugins/attachments/images/plan.ts'
import type { ConfigReader } from '../../../../core-plugins/config/contract.ts'
import { imgproxyLink } from '../../../../core-plugins/storage/drivers/s3/imgproxy-link.ts'
import { readS3Settings } from '../../../../core-plugins/storage/drivers/s3/s3-settings.ts'

const of = (kind: Parameters<typeof nativeImage>[0], asked: object): unknown =>
  nativeImage(kind, planImage(asked, 'jpg', 80))
const oss = (asked: object): unknown => (of('oss', asked) as { query: Record<string, string> }).query['x-oss-process']
const inQuery = (kind: 'cos' | 'qiniu', asked: object): unknown =>
  Object.keys((of(kind, asked) as { query: Record<string, string> }).query)[0]
const proxied = (asked: object): unknown => (of('imgproxy', asked) as { imageProxyOptions: string }).imageProxyOptions
const box = { w: 200, h: 100 }

describe('images that the back end makes', () => {
  it('are asked of OSS', () => {
    const start = 'image/auto-orient,1/resize'
    assert.equal(oss(box), `${start},m_lfit,w_200,h_100,limit_1/quality,Q_80/format,jpg`)
    assert.equal(oss({ q: 50 }), `${start},m_lfit,w_4096,h_4096,limit_1/quality,Q_50/format,jpg`)
    assert.equal(oss({ ...box, m: 'fill', f: 'png' }), `${start},m_fixed,w_200,h_100,limit_0/format,png`)
    assert.equal(oss({ ...box, m: 'crop', f: 'gif' }), `${start},m_fill,w_200,h_100,limit_0/format,gif`)
    assert.equal(oss({ w: 200, m: 'crop' }), `${start},m_lfit,w_200,limit_0/quality,Q_80/format,jpg`)
    assert.equal(oss({ ...box, m: 'pad' }), `${start},m_pad,w_200,h_100,limit_0,color_FFFFFF/quality,Q_80/format,jpg`)
    assert.equal(of('oss', { ...box, m: 'pad', f: 'png' }), undefined)
  })

  it('are asked of COS', () => {
    const start = 'imageMogr2/auto-orient/thumbnail'
    assert.equal(inQuery('cos', box), `${start}/200x100>/strip/format/jpg/quality/80`)
    assert.equal(inQuery('cos', { ...box, m: 'fill', f: 'png' }), `${start}/200x100!/strip/format/png`)
    const crop = `${start}/!200x100r/gravity/center/crop/200x100/strip/format/webp/quality/9`
    assert.equal(inQuery('cos', { ...box, m: 'crop', f: 'webp', q: 9 }), crop)
    assert.equal(inQuery('cos', { h: 100, m: 'crop' }), `${start}/x100/strip/format/jpg/quality/80`)
    const pad = `${start}/200x100/pad/1/color/I0ZGRkZGRg/strip/format/jpg/quality/80`
    assert.equal(inQuery('cos', { ...box, m: 'pad' }), pad)
    assert.equal(of('cos', { ...box, m: 'pad', f: 'webp' }), undefined)
  })

  it('are asked of Qiniu where it has a mode', () => {
    const start = 'imageMogr2/auto-orient/strip|imageView2'
    assert.equal(inQuery('qiniu', box), `${start}/2/w/200/h/100/format/jpg/q/80`)
    assert.equal(inQuery('qiniu', { w: 200 }), `${start}/2/w/200/h/4096/format/jpg/q/80`)
    assert.equal(inQuery('qiniu', { ...box, m: 'crop', f: 'png' }), `${start}/1/w/200/h/100/format/png`)
    for (const asked of [
      { ...box, m: 'fill' },
      { ...box, m: 'pad' },
      { w: 200, m: 'crop' },
    ]) {
      assert.equal(of('qiniu', asked), undefined)
    }
  })

  it('are asked of imgproxy under a signed path that ends', () => {
    const end = 'ar:1/sm:1/scp:1'
    assert.equal(proxied(box), `rs:fit:200:100:0:0/bg:255:255:255/${end}/q:80/f:jpg`)
    assert.equal(proxied({ ...box, m: 'fill', f: 'png' }), `rs:force:200:100:1:0/${end}/f:png`)
    assert.equal(proxied({ w: 200, m: 'crop', f: 'webp' }), `rs:fill:200:0:1:0/g:ce/${end}/q:80/f:webp`)
    assert.equal(proxied({ ...box, m: 'pad', f: 'gif' }), `rs:fit:200:100:1:1/${end}/f:gif`)
    const config = { image_process: 'imgproxy', bucket: 'b', prefix: 'p', endpoint: 'http://s3.test' }
    const keys = { imgproxy_url: 'https://img.test/', imgproxy_key: 'ab12', imgproxy_salt_key: 'cd' }
    const settings = readS3Settings({ ...config, ...keys })
    const link = imgproxyLink(settings, 'x/y', { options: 'rs:fit:1:1:0:0', seconds: 60, now: 1_000_000 })
    const path = `/rs:fit:1:1:0:0/exp:1060/${Buffer.from('s3://b/p/x/y').toString('base64url')}`
    const mac = createHmac('sha256', Buffer.from('ab12', 'hex')).update(Buffer.from('cd', 'hex')).update(path)
    assert.equal(link, `https://img.test/${mac.digest('base64url')}${path}`)
    assert.equal(readS3Settings({ ...config, ...keys, imgproxy_key: '' }).imageProcess, 'none')
  })

  it('are made here where the back end makes none', () => {
    assert.equal(of('none', box), undefined)
  })
})

describe('a link to where an image is made', () => {
  it('is good no longer than the right that it is given for', async () => {
    const now = Date.UTC(2026, 10, 29)
    const config = { get: () => Promise.resolve(3_600) } as unknown as ConfigReader
    const of = (by: AllowedAccess['by'], left?: number) =>
      linkSeconds(config, { by, ...(left !== undefined && { expires: now / 1000 + left }) } as AllowedAccess, now)
    assert.deepEqual(
      [
        await of('signed', 90),
        await of('signed', 9_000),
        await of('signed', -5),
        await of('token'),
        await of('public'),
      ],
      [
        { valid: 90, cached: 30 },
        { valid: 3_600, cached: 3_540 },
        { valid: 1, cached: 0 },
        { valid: 3_600, cached: 3_540 },
        { valid: 3_600, cached: 3_540 },
      ],
    )
  })
})
