import { readFileSync } from 'node:fs'
import path from 'node:path'
import vue from '@vitejs/plugin-vue'
import { defineConfig, type Plugin } from 'vite'

const script = path.join(import.meta.dirname, 'tab', 'before-paint.js')
const platform = process.env['STOA_URL'] ?? 'http://localhost:3000'
const passed = [
  '/admin',
  '/tenant',
  '/auth',
  '/api',
  '/permissions',
  '/preferences',
  '/plugins',
  '/plugin-ui',
  '/ai',
  '/attachments',
  '/notifications',
  '/openapi.json',
]

/** What comes together: of others, of every page, of every page of somebody who is signed in, and what first pages have many of. */
const shared = [
  { name: 'vue', test: /node_modules\/(@?vue|vue-router|@intlify|vue-i18n|@tanstack|@lucide)\//, priority: 4 },
  {
    name: 'base',
    test: /\/web\/(session\/|sign-in\/(?!NewPassword)|app\/query-client|tab\/(?!trusted)|realtime\/|api\/(client|public|me|intents|event-stream|sign-in)\.ts|ui\/(?!QrCode)[^/]+$|ui\/form\/(?!Schema))/,
    priority: 3,
  },
  { name: 'signed-in', test: /\/web\/((api|ui\/(dialog|list|log))\/|shell\/(?!HeaderWidgets))/, priority: 2 },
  {
    name: 'dashboard',
    test: /\/web\/(dashboards|plugins\/(?!ReadmeText)|frames|pages\/\w+\/dashboard|ui\/chart|ai\/usage\/UsageCharts|access\/action-words)/,
    priority: 1,
  },
]

/** The console, and what authors' tests show one page of a plugin in. */
const pages = ['index.html', 'try-page.html'].map((name) => path.join(import.meta.dirname, name))

/** Puts the script that sets the theme into the head, as a file that blocks and is cached like the others. */
function beforePaint(): Plugin {
  let file = ''
  return {
    name: 'stoa-before-paint',
    apply: 'build',
    buildStart() {
      const source = readFileSync(script, 'utf8').replace(/^\/\/.*\n/, '')
      file = this.emitFile({ type: 'asset', name: 'before-paint.js', source })
    },
    transformIndexHtml: {
      order: 'post',
      handler: (_html, ctx) => {
        const name = Object.keys(ctx.bundle ?? {}).find((candidate) =>
          /^assets\/before-paint-[^/]*\.js$/.test(candidate),
        )
        return [{ tag: 'script', attrs: { src: `/console/${name ?? file}` }, injectTo: 'head-prepend' }]
      },
    },
  }
}

export default defineConfig({
  root: import.meta.dirname,
  base: '/console/',
  plugins: [vue(), beforePaint()],
  define: {
    __VUE_OPTIONS_API__: 'false',
    __VUE_PROD_DEVTOOLS__: 'false',
    __VUE_I18N_LEGACY_API__: 'false',
    __VUE_I18N_FULL_INSTALL__: 'false',
    __INTLIFY_PROD_DEVTOOLS__: 'false',
  },
  build: {
    target: 'es2022',
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 2000,
    // A file for each module that pages share would be a hundred requests: what every page needs comes in three files.
    rolldownOptions: { input: pages, output: { codeSplitting: { groups: shared } } },
  },
  worker: { format: 'es' },
  server: {
    port: 5173,
    proxy: Object.fromEntries(passed.map((prefix) => [prefix, { target: platform, ws: true, changeOrigin: false }])),
  },
})
