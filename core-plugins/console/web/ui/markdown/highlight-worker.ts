import hljs from 'highlight.js/lib/core'
import type { LanguageFn } from 'highlight.js'

/** Each is loaded when code in it is shown. */
const languages: Readonly<Record<string, () => Promise<{ readonly default: LanguageFn }>>> = {
  bash: () => import('highlight.js/lib/languages/bash'),
  c: () => import('highlight.js/lib/languages/c'),
  cpp: () => import('highlight.js/lib/languages/cpp'),
  csharp: () => import('highlight.js/lib/languages/csharp'),
  css: () => import('highlight.js/lib/languages/css'),
  diff: () => import('highlight.js/lib/languages/diff'),
  dockerfile: () => import('highlight.js/lib/languages/dockerfile'),
  go: () => import('highlight.js/lib/languages/go'),
  ini: () => import('highlight.js/lib/languages/ini'),
  java: () => import('highlight.js/lib/languages/java'),
  javascript: () => import('highlight.js/lib/languages/javascript'),
  json: () => import('highlight.js/lib/languages/json'),
  kotlin: () => import('highlight.js/lib/languages/kotlin'),
  lua: () => import('highlight.js/lib/languages/lua'),
  markdown: () => import('highlight.js/lib/languages/markdown'),
  php: () => import('highlight.js/lib/languages/php'),
  powershell: () => import('highlight.js/lib/languages/powershell'),
  python: () => import('highlight.js/lib/languages/python'),
  r: () => import('highlight.js/lib/languages/r'),
  ruby: () => import('highlight.js/lib/languages/ruby'),
  rust: () => import('highlight.js/lib/languages/rust'),
  scala: () => import('highlight.js/lib/languages/scala'),
  sql: () => import('highlight.js/lib/languages/sql'),
  swift: () => import('highlight.js/lib/languages/swift'),
  typescript: () => import('highlight.js/lib/languages/typescript'),
  xml: () => import('highlight.js/lib/languages/xml'),
  yaml: () => import('highlight.js/lib/languages/yaml'),
}
const otherNames: Readonly<Record<string, string>> = {
  ...{ sh: 'bash', shell: 'bash', zsh: 'bash', console: 'bash', h: 'c', 'c++': 'cpp', cc: 'cpp', hpp: 'cpp' },
  ...{ 'c#': 'csharp', cs: 'csharp', patch: 'diff', docker: 'dockerfile', golang: 'go', toml: 'ini', conf: 'ini' },
  ...{ js: 'javascript', jsx: 'javascript', mjs: 'javascript', cjs: 'javascript', jsonc: 'json', kt: 'kotlin' },
  ...{ md: 'markdown', ps1: 'powershell', pwsh: 'powershell', py: 'python', rb: 'ruby', rs: 'rust' },
  ...{ postgres: 'sql', postgresql: 'sql', psql: 'sql', mysql: 'sql', ts: 'typescript', tsx: 'typescript' },
  ...{ html: 'xml', svg: 'xml', vue: 'xml', yml: 'yaml' },
}

/** What is to be marked, and in which language it says that it is. */
export interface ToHighlight {
  readonly text: string
  readonly said: string
}

// Here, and not where people wait: some texts take these rules for ever.
addEventListener('message', ({ data }: MessageEvent<ToHighlight>) => {
  // A language that could not be loaded leaves the code plain.
  void mark(data)
    .catch(() => '')
    .then((html) => postMessage(html))
})

async function mark({ text, said }: ToHighlight): Promise<string> {
  const lower = said.toLowerCase()
  const language = otherNames[lower] ?? lower
  if (!Object.hasOwn(languages, language)) return ''
  const load = languages[language]
  if (load && !hljs.getLanguage(language)) hljs.registerLanguage(language, (await load()).default)
  return hljs.highlight(text, { language, ignoreIllegals: true }).value
}
