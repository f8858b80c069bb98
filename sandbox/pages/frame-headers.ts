/** Where pages load from what the platform gives them. */
export const pageSdkFolder = '/plugin-ui/sdk/1/'

/** What stands before every page: its own `<!doctype>`, language and attributes count as if it were not there. */
export const guard = Buffer.from(`<!doctype html><script src="${pageSdkFolder}guard.js"></script>`)

/** The same where authors work on plugins, who are told what goes wrong before a page has reached the console. */
export const guardOfAuthors = Buffer.concat([guard, Buffer.from(`<script src="${pageSdkFolder}early.js"></script>`)])

/** A page has an origin of its own, so that its modules, styles and fonts are somebody else's to a browser; they are everybody's anyway. */
export const fileHeaders = {
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-type-options': 'nosniff',
} as const

const features = [
  ...['accelerometer', 'ambient-light-sensor', 'attribution-reporting', 'autoplay', 'bluetooth', 'browsing-topics'],
  ...['camera', 'clipboard-read', 'clipboard-write', 'compute-pressure', 'cross-origin-isolated', 'display-capture'],
  ...['encrypted-media', 'fullscreen', 'gamepad', 'geolocation', 'gyroscope', 'hid', 'identity-credentials-get'],
  ...['idle-detection', 'keyboard-map', 'local-fonts', 'magnetometer', 'microphone', 'midi', 'otp-credentials'],
  ...['payment', 'picture-in-picture', 'publickey-credentials-create', 'publickey-credentials-get'],
  ...['screen-wake-lock', 'serial', 'storage-access', 'usb', 'web-share', 'window-management', 'xr-spatial-tracking'],
]

/** What a page says of itself beside its policy: where nothing else keeps it from speaking to others, the browser does. */
export const pageHeaders = {
  'connection-allowlist': '(response-origin)',
  'permissions-policy': features.map((feature) => `${feature}=()`).join(', '),
  'x-dns-prefetch-control': 'off',
  'referrer-policy': 'no-referrer',
} as const
