/** Why there is no page yet. */
export type Absence = 'building' | 'failed' | 'production'

const said: Readonly<Record<Absence, readonly [english: string, chinese: string]>> = {
  building: ['The console is being built. This page goes on by itself.', '正在构建控制台，完成后将自动打开。'],
  failed: [
    'The console could not be built. Run <code>npm run build</code>: it says why.',
    '控制台构建失败。请运行 <code>npm run build</code> 查看原因。',
  ],
  production: [
    'The console has not been built. Run <code>npm run build</code>, and start again.',
    '控制台尚未构建。请运行 <code>npm run build</code> 后重新启动。',
  ],
}

/** What is shown while there is no page: no script, no style, and while it is being built it asks again by itself. */
export function buildingPage(absence: Absence): string {
  const [english, chinese] = said[absence]
  const refresh = absence === 'building' ? '<meta http-equiv="refresh" content="3">' : ''
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Stoa</title>${refresh}
<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"></head>
<body><h1>Stoa</h1><p>${english}</p><p lang="zh-CN">${chinese}</p></body></html>
`
}
