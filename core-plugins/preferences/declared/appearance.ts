import type { PreferenceDeclaration } from '../contract.ts'

/** How the platform looks. */
export const appearance: readonly PreferenceDeclaration[] = [
  {
    key: 'theme',
    name: { default: 'Theme', 'zh-CN': '主题' },
    schema: { enum: ['system', 'light', 'dark'] },
    default: 'system',
  },
  {
    key: 'density',
    name: { default: 'Density', 'zh-CN': '界面密度' },
    schema: { enum: ['comfortable', 'compact'] },
    default: 'comfortable',
  },
  {
    key: 'sidebar_collapsed',
    name: { default: 'Sidebar collapsed', 'zh-CN': '收起侧边栏' },
    schema: { type: 'boolean' },
    default: false,
  },
  {
    key: 'page_size',
    name: { default: 'Rows per page', 'zh-CN': '每页条数' },
    schema: { type: 'integer', minimum: 10, maximum: 100 },
    default: 20,
  },
  {
    key: 'home_path',
    name: { default: 'First page after sign-in', 'zh-CN': '登录后的首页' },
    // Two slashes, or a slash and a backslash, would lead a browser to another site.
    schema: { type: 'string', maxLength: 500, pattern: '^/(?![/\\\\])[^\\s\\\\\\u0000-\\u001f\\u007f]*$' },
    default: '/',
  },
]
